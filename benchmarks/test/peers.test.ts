import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallStream, callStreamAnswers, callStreamChunks } from '@linewire/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPipeline } from '../src/pipeline.ts';
import { bareLoop, peers } from '../src/process-sides.ts';

const stream: CallStream = { era: 'legacy', mix: 'mixed', callCount: 300 };
let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-peers-'));
  file = join(folder, 'calls.jsonl');
  writeFileSync(file, Buffer.concat([...callStreamChunks(stream)]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([bareLoop, ...peers])('the server $name', (side) => {
  it('answers every call rightly while its stdin is held open', async () => {
    const report = await checkPipeline({ side, file, expected: callStreamAnswers(stream), held: true });
    expect(report.mismatches).toEqual([]);
    expect(report).toMatchObject({ ok: true, rightCount: 301 });
  });
});
