import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { nodeFixture } from '../support/shell.ts';

/** Runs a command line on a new terminal: types two requests a moment apart, then Ctrl-D, and prints what the terminal showed. */
const DRIVER = `
import os, pty, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "-c", sys.argv[1]])
time.sleep(float(sys.argv[2]))
for n in (1, 2):
    os.write(fd, b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\\n' % n)
    time.sleep(0.1)
os.write(fd, b"\\x04")
shown = b""
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
status = os.waitpid(pid, 0)[1]
sys.stdout.write(shown.decode())
sys.exit(os.waitstatus_to_exitcode(status))
`;

const python = spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0;
if (!python)
  process.stderr.write('\nSKIPPED: the terminal tests need python3 with the pty module (3.9 or later)\n\n');

describe.skipIf(!python)('own stdio on a terminal', () => {
  test('says nothing by itself, answers what is typed, line by line, and ends in order with Ctrl-D', () => {
    const { stdout, status } = spawnSync('python3', ['-c', DRIVER, nodeFixture('answering'), '0.5'], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    const lines = stdout.split('\r\n').filter((line) => line !== '');
    expect(lines).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":2,"method":"ping"}',
      '{"jsonrpc":"2.0","id":2,"result":{}}',
    ]);
    expect(status).toBe(0);
  });

  test('answers on a terminal what comes from a pipe', () => {
    const commandLine = `echo '{"jsonrpc":"2.0","id":9,"method":"ping"}' | ${nodeFixture('answering')}`;
    const { stdout } = spawnSync('python3', ['-c', DRIVER, commandLine, '0.5'], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(stdout).toContain('{"jsonrpc":"2.0","id":9,"result":{}}\r\n');
  });
});
