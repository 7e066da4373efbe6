import { printable } from '@linewire/mcp';
import { cac } from 'cac';
import { type Command, UsageError } from './command.ts';
import { framesCommand } from './frames.ts';
import { runCommand } from './run.ts';

/** Every command; one that is added here is parsed, helped and dispatched. */
const commands: readonly Command[] = [runCommand, framesCommand];

const version = '0.1.0';

const USAGE_EXIT_CODE = 2;

process.exitCode = await main(process.argv);

async function main(argv: readonly string[]): Promise<number> {
  const cli = cac('linewire');
  let chosen: (() => Promise<number>) | undefined;
  for (const command of commands) {
    const entry = cli.command(command.usage, command.summary);
    for (const [flags, help] of command.options) entry.option(flags, help);
    entry.action((...given: unknown[]) => {
      const { '--': rest, ...options } = given.pop() as Record<string, unknown> & { '--': string[] };
      chosen = () => command.run({ positional: given as string[], options, rest });
    });
  }
  cli.help();
  cli.version(version);
  try {
    const { options } = cli.parse([...argv], { run: false });
    if (options['help'] === true || options['version'] === true) return 0;
    if (cli.matchedCommand === undefined) {
      if (argv.length > 2) throw new UsageError(`unknown command ${argv[2]}; see linewire --help`);
      cli.outputHelp();
      return USAGE_EXIT_CODE;
    }
    cli.runMatchedCommand();
    return (await chosen?.()) ?? USAGE_EXIT_CODE;
  } catch (error) {
    if (!(error instanceof UsageError) && (error as Error).name !== 'CACError') throw error;
    process.stderr.write(`linewire: ${printable((error as Error).message)}\n`);
    return USAGE_EXIT_CODE;
  }
}
