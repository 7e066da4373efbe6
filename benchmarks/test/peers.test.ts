import { type CallStream, callStreamAnswers, callStreamChunks, runCountingClient } from '@linewire/testkit';
import { describe, expect, it } from 'vitest';
import { peers } from '../src/process-sides.ts';

const stream: CallStream = { era: 'legacy', mix: 'mixed', callCount: 300 };

describe.each(peers)('the peer server $name', ({ command: [command, ...args] }) => {
  it('answers every call with the right outcome', async () => {
    const report = await runCountingClient({
      command: command as string,
      args,
      input: callStreamChunks(stream),
      expected: callStreamAnswers(stream),
      mode: 'outcome',
    });
    expect(report.mismatches).toEqual([]);
    expect(report).toMatchObject({ ok: true, rightCount: 301, exitCode: 0 });
  });
});
