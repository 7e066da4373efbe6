import { McpError } from '../../errors.ts';
import type { Completer } from '../api/completion.ts';

/** @throws McpError `OPTION_INVALID` for one that is no function, or completes what is not there. */
export function checkCompleters(
  completers: Readonly<Record<string, Completer>> | undefined,
  names: ReadonlySet<string>,
  what: string,
): void {
  if (completers === undefined) return;
  for (const [name, complete] of Object.entries(completers)) {
    if (!names.has(name)) throw new McpError('OPTION_INVALID', `${what} has no ${name} to complete`);
    if (typeof complete !== 'function')
      throw new McpError('OPTION_INVALID', `${what}: complete.${name} must be a function`);
  }
}
