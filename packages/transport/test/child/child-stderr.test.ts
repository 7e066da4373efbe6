import { describe, expect, test } from 'vitest';
import { listen, spawnShell } from '../support/child-harness.ts';
import { until } from '../support/process-state.ts';
import { nodeFixture, shell } from '../support/shell.ts';

describe('the stderr of a child', () => {
  test('goes to a function from the spawn on, before the start, and its bytes belong to it', async () => {
    let text = '';
    const child = spawnShell('echo one >&2; read line; echo two >&2', {
      stderr(bytes) {
        text += Buffer.from(bytes).toString();
        bytes.fill(0x2a);
      },
    });
    await until(() => text === 'one\n');
    const heard = listen(child);
    child.send('go');
    expect((await child.closed).stderrTail).toBe('one\ntwo\n');
    expect([text, heard.stderr]).toEqual(['one\ntwo\n', '']);
  });

  test('that is ignored is read all the same, and its tail is kept', async () => {
    const child = spawnShell('head -c 1000000 /dev/zero | tr "\\0" x >&2; printf end >&2', {
      stderr: 'ignore',
      stderrTailBytes: 10,
    });
    const heard = listen(child);
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0, stderrTail: 'xxxxxxxend' });
    expect(heard.stderr).toBe('');
  });

  test('that is forwarded comes out of our own, and the tail is kept and told', async () => {
    const { code, stdout, stderr } = await shell(nodeFixture('forwarding'));
    expect([code, stderr]).toEqual([0, 'a word to the user\n']);
    expect(JSON.parse(stdout)).toEqual({ tail: 'a word to the user\n', told: 'a word to the user\n' });
  });

  test('that is forwarded to a stderr which nobody reads, or which is closed, ends nothing', async () => {
    const report = '{"tail":"a word to the user\\n","told":"a word to the user\\n"}\n';
    const unread = await shell(`{ ${nodeFixture('forwarding')} 2>&1 1>&3 | true; } 3>&1`);
    expect(unread.stdout).toBe(report);
    const closed = await shell(`${nodeFixture('forwarding')} 2>&-`);
    expect([closed.code, closed.stdout]).toEqual([0, report]);
  });

  test('that is forwarded into our own wire (2>&1) is dropped, and the wire stays clean', async () => {
    const { stdout } = await shell(`${nodeFixture('forwarding', 'stdio')} 2>&1`);
    expect(stdout).toBe('{"tail":"a word to the user\\n","told":"a word to the user\\n"}\n');
  });

  test('is read to its own end after the exit', async () => {
    // The grandchild is in a session of its own, so that it is not ended in the exit tick.
    const child = spawnShell(
      `setsid sh -c 'echo up >&2; sleep 0.2; printf late >&2' </dev/null >/dev/null & read line; exit 3`,
      { exitDrainMs: 20_000 },
    );
    listen(child);
    await until(() => child.stderrTail === 'up\n');
    child.send('go');
    expect(await child.closed).toMatchObject({ exitCode: 3, stderrTail: 'up\nlate' });
  });

  test('of one child is never part of the tail of another', async () => {
    const children = Array.from({ length: 10 }, (_, index) =>
      spawnShell(`printf tail-of-${index} >&2; exit ${index}`),
    );
    const ends = await Promise.all(
      children.map((child) => {
        listen(child);
        return child.closed;
      }),
    );
    expect(ends.map(({ stderrTail }) => stderrTail)).toEqual(ends.map((_, index) => `tail-of-${index}`));
  });
});
