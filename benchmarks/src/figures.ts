/** `3.00 ×` */
export function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

/**
 * What there is of the values, each with its word before it. One without a word is what the promise is about; the others are then shown
 * in brackets.
 */
export function listed(
  format: (value: number) => string,
  values: readonly (readonly [word: string, value: number | undefined])[],
): string {
  const texts = values.flatMap(([word, value]) => (value === undefined ? [] : [word + format(value)]));
  const [first = '', ...others] = texts;
  if (values[0]?.[0] !== '' || others.length === 0) return texts.join('; ');
  return `${first} (${others.join('; ')})`;
}
