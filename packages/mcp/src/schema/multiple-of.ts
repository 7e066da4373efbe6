/**
 * Whether one number is a multiple of another as both are written in decimal: 0.3 is one of 0.1, though no binary
 * division says so.
 *
 * @param step - above 0.
 */
export function isMultipleOf(value: number, step: number): boolean {
  if (value % step === 0) return true;
  if (!Number.isFinite(value) || (Number.isInteger(value) && Number.isInteger(step))) return false;
  const a = decimal(value);
  const b = decimal(step);
  // Powers of ten reach 10^±324, so these are numbers of a few hundred digits at most.
  const shift = Math.min(a.exponent, b.exponent);
  return (
    (a.digits * 10n ** BigInt(a.exponent - shift)) % (b.digits * 10n ** BigInt(b.exponent - shift)) === 0n
  );
}

function decimal(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const fraction = mantissa.length > 1 ? mantissa.length - 2 : 0;
  return { digits: BigInt(mantissa.replace('.', '')), exponent: Number(exponent) - fraction };
}
