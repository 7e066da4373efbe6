import { readFileSync } from 'node:fs';
import { type Command, type CommandInput, countOption, textOption, UsageError } from './command.ts';
import { type FileFrame, framesOf, linesOf } from './run-lines.ts';
import { play } from './run-play.ts';
import { playSucceeded, reportText } from './run-report.ts';
import { Tally } from './run-tally.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** `linewire run`: plays a file of messages against a command and judges every answer. */
export const runCommand: Command = {
  usage: 'run <messages>',
  summary: 'Play a JSONL file against the command behind -- and check its answers',
  options: [
    [
      '--expect <file>',
      'One expected answer per line, compared by value and id (default: any answer to each request)',
    ],
    ['--eof', "End the command's input right behind the last line, as cat does"],
    ['--timeout-ms <ms>', `Longest time without an answer (default: ${DEFAULT_TIMEOUT_MS})`],
  ],
  async run(input: CommandInput): Promise<number> {
    const [command, ...args] = input.rest;
    const [messages] = input.positional;
    if (command === undefined || messages === undefined) {
      throw new UsageError('linewire run MESSAGES [--expect ANSWERS] -- COMMAND [ARGUMENTS]');
    }
    const timeoutMs =
      countOption(input, 'timeoutMs', '--timeout-ms', 1, MAX_TIMEOUT_MS) ?? DEFAULT_TIMEOUT_MS;
    const answers = textOption(input, 'expect');
    const bytes = read(messages);
    const tally = new Tally(answers === undefined ? framesOf(bytes).requests : expectedAnswers(answers));
    const report = await play({
      command,
      args,
      lines: linesOf(bytes, messages),
      tally,
      endAtOnce: input.options['eof'] === true,
      timeoutMs,
    });
    process.stdout.write(reportText(tally, report, answers !== undefined));
    return playSucceeded(tally, report) ? 0 : 1;
  },
};

function expectedAnswers(file: string): FileFrame[] {
  const { answers, requests, firstOther } = framesOf(read(file));
  if (requests.length > 0) throw new UsageError(`${file} holds a request; it must hold answers only`);
  if (firstOther !== undefined) throw new UsageError(`${file}: message ${firstOther} is no JSON-RPC answer`);
  return answers;
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
