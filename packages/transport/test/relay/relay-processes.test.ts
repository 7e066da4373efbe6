import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { faultChildArgs } from '@linewire/testkit';
import { describe, expect, test } from 'vitest';
import { childEnd, relayBytes, streamEnd } from '../../src/index.ts';
import { isAlive, until } from '../support/process-state.ts';
import { nodeFixture, requestLines, shell } from '../support/shell.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const relaying = (...args: string[]): string => nodeFixture('relaying', ...args);
const lastLine = (text: string): Record<string, unknown> => JSON.parse(text.trim().split('\n').at(-1) ?? '');

describe('a relay in a process of its own', () => {
  test.each(['bytes', 'observed'])('(%s) passes 8 MiB of anything on, from a pipe to a pipe', async (how) => {
    const input = randomBytes(8 * 1024 * 1024);
    const { stdout, stderr } = await shell(`cat | ${relaying(how)} | sha256sum`, { input });
    expect(stdout.slice(0, 64)).toBe(sha256(input));
    expect(lastLine(stderr)).toMatchObject({ kind: 'eof' });
  });

  test('passes 8 MiB on from a socket, through a child and back, in both directions at once', async () => {
    const input = randomBytes(8 * 1024 * 1024);
    const { stdout, stderr } = await shell(`${relaying('bytes', 'cat')} | sha256sum`, { input });
    expect(stdout.slice(0, 64)).toBe(sha256(input));
    expect(lastLine(stderr)).toMatchObject({ kind: 'exit', side: 'b', exitCode: 0 });
  });

  test('reads a file and /dev/null as they are', async () => {
    const file = JSON.stringify(import.meta.filename);
    const { code, stderr } = await shell(
      `${relaying('bytes')} < ${file} | cmp - ${file} && ${relaying('bytes')} < /dev/null`,
    );
    expect(code).toBe(0);
    expect(lastLine(stderr)).toMatchObject({ kind: 'eof' });
  });

  test('passes frames on and leaves noise out', async () => {
    const input = `noise\n${requestLines(1000)}\n\u0000\n`;
    const { stdout, stderr } = await shell(`cat | ${relaying('frames')}`, { input });
    expect(stdout).toBe(requestLines(1000));
    expect(lastLine(stderr)).toMatchObject({ stats: { fromA: { framesOut: 1000, faults: 2 } } });
  });

  test('ends when its reader has gone, and does not read on for ever', async () => {
    const { stdout, stderr } = await shell(`yes | ${relaying('bytes')} | head -c 100000 | wc -c`);
    expect(stdout.trim()).toBe('100000');
    expect(lastLine(stderr)).toMatchObject({ kind: 'peer-closed', side: 'b', code: 'PEER_CLOSED' });
  });
});

describe('a relay to a child', () => {
  const start = (plan: Parameters<typeof faultChildArgs>[0]) =>
    spawn(process.execPath, faultChildArgs(plan), { stdio: ['pipe', 'pipe', 'pipe'] });

  /** A socket to talk to the child by, with everything that it says. */
  async function talk(child: ReturnType<typeof start>) {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const accepted = new Promise<ReturnType<typeof connect>>((resolve) => server.once('connection', resolve));
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const socket = await accepted;
    const chunks: Buffer[] = [];
    let hasEnded = false;
    client.on('data', (bytes) => chunks.push(bytes)).on('error', () => {});
    client.on('end', () => {
      hasEnded = true;
    });
    const relay = relayBytes(streamEnd({ readable: socket, writable: socket }), childEnd(child), {
      exitDrainMs: 50,
    });
    const dispose = async (): Promise<void> => {
      child.kill('SIGKILL');
      client.destroy();
      await relay.closed;
      await new Promise((resolve) => server.close(resolve));
    };
    return { client, relay, bytes: () => Buffer.concat(chunks), hasEnded: () => hasEnded, dispose };
  }

  test.each([1, 1000, 65_536, 100_001])(
    'hands on exactly the %i bytes that it wrote before SIGKILL, then the end',
    async (dieAtByte) => {
      const { client, relay, bytes, hasEnded, dispose } = await talk(start({ dieAtByte }));
      try {
        client.write(Buffer.alloc(200_000, 'z'));
        expect(await relay.closed).toMatchObject({
          kind: 'exit',
          side: 'b',
          exitCode: null,
          signal: 'SIGKILL',
        });
        await until(hasEnded);
        expect(bytes()).toHaveLength(dieAtByte);
      } finally {
        await dispose();
      }
    },
  );

  test('waits for a child that reads slowly, and holds its sender', async () => {
    const { client, relay, bytes, dispose } = await talk(start({ readDelayMs: 3 }));
    try {
      const sent = randomBytes(1_000_000);
      client.end(sent);
      expect(await relay.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
      await until(() => bytes().length === sent.length);
      expect(bytes().equals(sent)).toBe(true);
    } finally {
      await dispose();
    }
  });

  test('is over soon after the exit of a child whose grandchild holds the pipes', async () => {
    const child = start({ grandchild: 'group', greeting: 'hello' });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const { relay, bytes, hasEnded, dispose } = await talk(child);
    try {
      await until(() => stderr.includes('\n') && bytes().length === 5);
      child.kill('SIGKILL');
      expect(await relay.closed).toMatchObject({ kind: 'exit', signal: 'SIGKILL' });
      await until(hasEnded);
    } finally {
      await dispose();
      child.stderr.destroy();
      const grandchild = Number(stderr.split('\n')[0]);
      expect(isAlive(grandchild)).toBe(true);
      process.kill(grandchild, 'SIGKILL');
    }
  });
});
