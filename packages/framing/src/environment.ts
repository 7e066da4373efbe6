/** The parts of runtimes that are asked for a variable. */
interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly Deno?: {
    readonly permissions: {
      querySync(what: { name: 'env'; variable: string }): { readonly state: 'granted' | 'prompt' | 'denied' };
    };
  };
}

/** Value of an environment variable; undefined where it is not set, where there is no environment, and where reading it is not allowed. */
export function environmentVariable(name: string): string | undefined {
  const { process, Deno } = globalThis as Runtime;
  // Reading it all the same would stop the program with an error, or with a question to its user.
  if (Deno !== undefined && Deno.permissions.querySync({ name: 'env', variable: name }).state !== 'granted')
    return undefined;
  return process?.env?.[name];
}
