import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { handedCases } from '@linewire/testkit';
import { describe, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../bin/linewire.js', import.meta.url));
const OK = '{"jsonrpc":"2.0","id":"ok","method":"ping"}\n';

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function frames(input: string | Uint8Array, ...options: string[]): Result {
  return framesUnder([], input, options);
}

/** With options of Node itself. */
function framesUnder(
  nodeOptions: readonly string[],
  input: string | Uint8Array,
  options: readonly string[],
): Result {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...nodeOptions, bin, 'frames', ...options],
    { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return { status, stdout, stderr };
}

function parsed(result: Result): Record<string, unknown>[] {
  const lines = result.stdout.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('linewire frames', () => {
  it('writes one line per frame in stream order, blank lines not counted', () => {
    const result = frames(
      `{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n \n{"jsonrpc":"2.0","method":"a"}\n`,
      ...['--engine', 'scalar'],
    );
    expect(result.stdout).toBe(
      '{"n":0,"start":0,"end":40,"kind":"request","id":1,"method":"ping"}\n' +
        '{"n":1,"start":44,"end":74,"kind":"notification","method":"a"}\n',
    );
    expect(result.stderr).toBe(
      '2 frames (request 1, notification 1), 1 blank lines, 75 bytes, scalar engine\n',
    );
    expect(result.status).toBe(0);
  });

  it('keeps the exact text of an id', () => {
    const ids = ['1.50e1', '9007199254740993', '"\\u0061"', '-0'];
    const input = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"x"}\n`).join('');
    for (const [index, line] of frames(input).stdout.trimEnd().split('\n').entries()) {
      expect(line).toContain(`,"id":${ids[index]},"method":"x"}`);
    }
  });

  it('tells code, offset and preview of a fault, and the code alone of an invalid message', () => {
    const result = frames(`{"a":1}}\n42\n${OK}`);
    expect(result.stdout).toBe(
      '{"n":0,"start":0,"end":8,"kind":"fault","code":"JSON_TRAILING","offset":7,"preview":"{\\"a\\":1}}"}\n' +
        '{"n":1,"start":9,"end":11,"kind":"invalid","code":"ENVELOPE_SHAPE"}\n' +
        '{"n":2,"start":12,"end":55,"kind":"request","id":"ok","method":"ping"}\n',
    );
    expect(result.status).toBe(0);
  });

  it('marks a frame that the end of input left without a newline', () => {
    expect(frames(OK.trimEnd()).stdout).toContain('"method":"ping","unterminated":true}');
    expect(parsed(frames('{"jsonrpc"'))[0]).toMatchObject({ code: 'FRAME_TRUNCATED', unterminated: true });
  });

  it('adds the decoded value of every frame that is no fault', () => {
    const lines = parsed(frames(`[1, 2.50]\n{"b":1,"a":{"__proto__":1}}\nx\n`, '--values'));
    expect(lines[0]?.['value']).toEqual([1, 2.5]);
    expect(JSON.stringify(lines[1]?.['value'])).toBe('{"b":1,"a":{"__proto__":1}}');
    expect(lines[2]).not.toHaveProperty('value');
  });

  it('shows every number with --values as it was written, digit for digit, and faults as without', () => {
    const numbers = `[9007199254740993,1.50,-0,1E+2,0.1e-7,${'7'.repeat(100)},1e400]`;
    const input =
      `{"jsonrpc":"2.0","id":9007199254740993,"method":"m","params":{ "at" : 1.0, "list": ${numbers} }}\n` +
      '{"jsonrpc":"2.0","id":1,"result":{"n":01}}\n' +
      '{"jsonrpc":"2.0","id":1.50e1,"error":{"code":-32000.0,"message":"\\u0031.0"}}\n';
    const { stdout, status } = frames(input, '--values');
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(
      '{"n":0,"start":0,"end":231,"kind":"request","id":9007199254740993,"method":"m","value":' +
        `{"jsonrpc":"2.0","id":9007199254740993,"method":"m","params":{"at":1.0,"list":${numbers}}}}`,
    );
    expect(lines[1]).toBe(
      '{"n":1,"start":232,"end":274,"kind":"fault","code":"JSON_SYNTAX","offset":271,' +
        '"preview":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\""}',
    );
    expect(lines[2]).toBe(
      '{"n":2,"start":275,"end":351,"kind":"error","id":1.50e1,"value":' +
        '{"jsonrpc":"2.0","id":1.50e1,"error":{"code":-32000.0,"message":"1.0"}}}',
    );
    expect(lines[1]).toBe(frames(input).stdout.split('\n')[1]);
    expect(status).toBe(0);
  });

  it('says in its help what --values does with numbers', () => {
    expect(frames('', '--help').stdout).toMatch(/--values +Add the whole frame .*numbers keep every digit/);
  });

  it('with --envelope lets bad nested JSON pass, and reports it when its value is asked for', () => {
    const input = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":tru}}\n${OK}`;
    expect(parsed(frames(input))[0]).toMatchObject({ kind: 'fault', code: 'JSON_SYNTAX', offset: 54 });
    expect(parsed(frames(input, '--envelope'))[0]).toMatchObject({ kind: 'request', id: 1 });
    const lines = parsed(frames(input, '--envelope', '--values'));
    expect(lines[0]).toMatchObject({ kind: 'fault', code: 'JSON_SYNTAX', offset: 54 });
    expect(lines[1]).toMatchObject({ kind: 'request', id: 'ok' });
  });

  it('honours the limits and policies it is given', () => {
    const big = `{"jsonrpc":"2.0","method":"m","params":{"t":"${'x'.repeat(2000)}"},"id":7}\n`;
    const tooLarge = parsed(frames(big + OK, '--max-frame-bytes', '1024'));
    expect(tooLarge[0]).toMatchObject({ code: 'FRAME_TOO_LARGE', offset: 1024, id: 7, method: 'm' });
    expect(tooLarge[1]).toMatchObject({ kind: 'request' });
    expect(parsed(frames('[[[1]]]\n', '--max-depth', '2'))[0]).toMatchObject({
      code: 'JSON_DEPTH',
      offset: 2,
    });
    const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}\n';
    expect(parsed(frames(twice))[0]).toMatchObject({ code: 'ENVELOPE_DUPLICATE' });
    expect(parsed(frames(twice, '--duplicates', 'last'))[0]).toMatchObject({ kind: 'request', id: 2 });
    const broken = Buffer.from('{"jsonrpc":"2.0","method":"a\xff"}\n', 'latin1');
    expect(parsed(frames(broken))[0]).toMatchObject({ code: 'FRAME_UTF8', offset: 28 });
    expect(parsed(frames(broken, '--utf8', 'replace'))[0]).toMatchObject({ method: 'a\ufffd' });
  });

  it('writes the values of frames deeper than JSON.stringify can go', () => {
    const depth = 20_000;
    const input = `${'['.repeat(depth)}${']'.repeat(depth)}\n`;
    const line = frames(input, '--values', '--max-depth', '30000').stdout;
    expect(line).toBe(`{"n":0,"start":0,"end":40000,"kind":"batch","value":${input.trimEnd()}}\n`);
  });

  it('gives the same lines however the input is fed', () => {
    const bytes = Buffer.concat(handedCases().map(({ bytes }) => Buffer.from(bytes)));
    const whole = frames(bytes, '--values');
    expect(whole.status).toBe(0);
    for (const chunk of ['1', '7', '4096'])
      expect(frames(bytes, '--values', '--chunk', chunk)).toEqual(whole);
  });

  it('gives the same lines with either engine, and says which one it was', () => {
    const bytes = Buffer.concat(handedCases().map(({ bytes }) => Buffer.from(bytes)));
    const scalar = frames(bytes, '--values', '--engine', 'scalar');
    const wasm = frames(bytes, '--values', '--engine', 'wasm');
    expect(wasm.stdout).toBe(scalar.stdout);
    expect(scalar.stderr).toMatch(/, scalar engine\n$/);
    expect(wasm.stderr).toBe(scalar.stderr.replace('scalar engine', 'wasm engine'));
  });

  it('refuses --engine wasm with the reason and exit code 2 where it does not work', () => {
    const { status, stdout, stderr } = framesUnder(['--jitless'], OK, ['--engine', 'wasm']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/the wasm engine does not work here: this runtime has no WebAssembly/);
    expect(stdout).toBe('');
    expect(framesUnder(['--jitless'], OK, ['--engine', 'scalar']).stderr).toMatch(/, scalar engine\n$/);
  });

  it.each([
    [['--engine', 'quantum'], /engine must be one of auto, scalar, wasm/],
    [['--chunk', '0'], /--chunk must be a whole number from 1/],
    [['--max-frame-bytes', '10'], /--max-frame-bytes must be a whole number from 1024/],
    [['--utf8', 'maybe'], /utf8 must be one of strict, replace/],
    [['--nonsense'], /Unknown option/],
  ])('refuses %j with a clear message and exit code 2', (options, message) => {
    const result = frames(OK, ...options);
    expect(result.status).toBe(2);
    expect(result.stderr).toMatch(message);
    expect(result.stdout).toBe('');
  });

  it('exits with 1 when the input cannot be read', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `"$0" "$1" frames < /`, process.execPath, bin], {
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/the input could not be read/);
    expect(status).toBe(1);
  });

  it('ends quietly when nobody reads its output any more', () => {
    const script = `yes '${OK.trimEnd()}' | head -200000 | { "$0" "$1" frames; echo "exit $?" >&2; } | head -1`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, bin], { encoding: 'utf8' });
    expect(stdout).toBe('{"n":0,"start":0,"end":43,"kind":"request","id":"ok","method":"ping"}\n');
    expect(stderr).toBe('exit 0\n');
  });
});
