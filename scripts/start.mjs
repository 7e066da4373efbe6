// npm start: the main job on real input. Plays 1,000 tool calls through our client and server, checks the
// value of every answer, and shows what `cat` makes of the same file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './processes.mjs';
import { setUp } from './setup.mjs';

await setUp();

const messages = 'messages/1000-messages.jsonl';
const answers = 'messages/1000-messages.answers.jsonl';
const catRounds = 9;

say(`write   ${messages} and its expected answers`);
await must('node', ['packages/testkit/bin/write-messages.mjs'], { capture: true });

say(`run     linewire run ${messages} --expect ${answers} -- linewire-server`);
const played = await run('linewire', ['run', messages, '--expect', answers, '--', 'linewire-server']);

say(`run     cat ${messages} (into a pipe, median of ${catRounds})`);
const catSeconds = [];
for (let round = 0; round < catRounds; round++) {
  catSeconds.push((await must('cat', [messages], { capture: true })).seconds);
}
catSeconds.sort((a, b) => a - b);

const count = readFileSync(join(root, messages), 'latin1').split('\n').filter(Boolean).length;
say('');
say(`${'whole process, start-up included'.padEnd(40)}${'ms'.padStart(10)}${'messages/s'.padStart(14)}`);
row('linewire run … linewire-server', played.seconds);
row('cat', catSeconds[catRounds >> 1]);

if (played.code !== 0) {
  process.stderr.write('\nnpm start: linewire run failed; the answers above are not all right.\n');
  process.exitCode = 1;
}

function row(name, seconds) {
  const perSecond = Math.round(count / seconds).toLocaleString('en');
  say(`${name.padEnd(40)}${(seconds * 1000).toFixed(1).padStart(10)}${perSecond.padStart(14)}`);
}

async function must(command, args, options) {
  const result = await run(command, args, options);
  if (result.code === 0) return result;
  process.stderr.write(
    `${result.output}\n${command} ${args.join(' ')} failed with exit code ${result.code}\n`,
  );
  process.exit(1);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
