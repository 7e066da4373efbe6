/** The one thing that the framer asks of a process. */
interface ProcessLike {
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Value of an environment variable; undefined where it is not set, where there is no environment, and where reading it is forbidden. */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as { process?: ProcessLike }).process?.env?.[name];
  } catch {
    // Deno without --allow-env.
    return undefined;
  }
}
