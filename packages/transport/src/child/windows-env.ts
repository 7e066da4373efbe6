/** Variables of a child; `undefined` counts as absent. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The value of a variable as a Windows program sees it: names differ by more than case. Of two spellings Node hands over the one that sorts
 * first.
 */
export function windowsVariable(env: Variables, name: string): string | undefined {
  const upper = name.toUpperCase();
  const spellings = Object.keys(env).filter((key) => key.toUpperCase() === upper && env[key] !== undefined);
  const [first] = spellings.sort();
  return first === undefined ? undefined : env[first];
}

/** A program of Windows itself, by its full path: a bare name would be searched in the working directory first. */
export function systemProgram(env: Variables, name: string): string {
  const root = windowsVariable(env, 'SystemRoot');
  const folder = root !== undefined && /^[A-Za-z]:\\[^"%\p{Cc}]*$/u.test(root) ? root : 'C:\\Windows';
  return `${folder.replace(/\\+$/, '')}\\System32\\${name}`;
}
