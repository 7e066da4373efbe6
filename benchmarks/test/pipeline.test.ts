import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answersFromList,
  type CallStream,
  callStreamAnswers,
  callStreamChunks,
  type RpcAnswer,
} from '@linewire/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProcessCase } from '../src/process-case.ts';
import { bareLoop, cat, type ProcessSide } from '../src/process-sides.ts';

const stream: CallStream = { era: 'legacy', mix: 'mixed', callCount: 200 };
let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire pipeline '));
  file = join(folder, 'calls.jsonl');
  writeFileSync(file, Buffer.concat([...callStreamChunks(stream)]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const caseOf = (sides: ProcessSide[]) =>
  ({
    name: 'a case',
    file,
    byteCount: 20_000,
    messageCount: 202,
    expected: callStreamAnswers(stream),
    sides,
    reference: sides[0] as ProcessSide,
    turnCount: 2,
  }) as const;

/** Answers every `ping` when 50 ms have passed, and exits at the end of its input whether it has answered or not. */
const forgetful = `
  process.stdin.on('data', (d) => setTimeout(() => {
    for (const line of String(d).trim().split('\\n')) console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} }));
  }, 50)).on('end', () => process.exit(0));
`;

describe('a whole-process case', () => {
  it('gives a row per side, with checked answers, samples by turn, CPU and memory, and the noise of its reference', async () => {
    const { rows, noise } = await runProcessCase(caseOf([bareLoop, cat]), true);
    expect(rows.map(({ side, samples }) => [side, samples.length])).toEqual([
      ['bare loop', 2],
      ['cat', 2],
    ]);
    expect(rows[0]).toMatchObject({
      checkedAnswers: 201,
      fit: true,
      detail: { messageCount: 202, lostAtEof: 0 },
    });
    expect(rows[0]?.maxRssBytes).toBeGreaterThan(10 << 20);
    expect(rows[0]?.cpuMs).toBeGreaterThan(1);
    expect(rows[1]).not.toHaveProperty('checkedAnswers');
    expect(noise).toMatchObject([{ case: 'a case', side: 'bare loop' }]);
  });

  it('refuses a side that answers wrongly', async () => {
    const parrot: ProcessSide = { name: 'parrot', command: ['cat'], check: 'value' };
    await expect(runProcessCase(caseOf([parrot]), true)).rejects.toThrow(/parrot answered wrongly/);
  });

  it('measures a peer that loses answers at the end of its input with its stdin held open, and tells the loss', async () => {
    const pings = join(folder, 'pings.jsonl');
    writeFileSync(
      pings,
      '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n',
    );
    const answers = [1, 2].map((id): RpcAnswer => ({ jsonrpc: '2.0', id, result: {} }));
    const side: ProcessSide = {
      name: 'forgetful',
      command: [process.execPath, '-e', forgetful],
      check: 'outcome',
    };
    const wanted = { ...caseOf([side]), file: pings, expected: answersFromList(answers) };
    const { rows } = await runProcessCase(wanted, true);
    expect(rows).toMatchObject([{ side: 'forgetful', checkedAnswers: 2, detail: { lostAtEof: 2 } }]);
    expect(rows[0]?.median).toBeGreaterThan(50);
    // The same loss by a server of our own is an error.
    await expect(runProcessCase({ ...wanted, sides: [{ ...side, check: 'value' }] }, true)).rejects.toThrow(
      'forgetful',
    );
  });
});
