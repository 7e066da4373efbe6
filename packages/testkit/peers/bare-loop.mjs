// The bare loop: an MCP server in the plainest Node that is still fast, and the yardstick of this repository.
// One socket read (`onread`), indexOf(10), JSON.parse per line, JSON.stringify per answer, one write per read.
// It introduces itself as linewire-server, to the letter, and answers the first five of its tools. It trusts its input: a bad line is dropped, a line may grow without bound.
import { createReadStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';

const serverInfo = { name: 'linewire-server', version: '0.1.0' };
const modernResultMeta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const legacyVersions = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);

const binary = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
};
const natural = { type: 'integer', minimum: 0 };
const tools = [
  { name: 'add', inputSchema: binary },
  { name: 'multiply', inputSchema: binary },
  { name: 'divide', inputSchema: binary },
  {
    name: 'echo',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  {
    name: 'slow',
    inputSchema: { type: 'object', properties: { ms: natural }, required: ['ms'] },
  },
  {
    name: 'big',
    inputSchema: {
      type: 'object',
      properties: { bytes: { ...natural, maximum: 60_000_000 } },
      required: ['bytes'],
    },
  },
  { name: 'ask', inputSchema: { type: 'object' } },
  { name: 'fail', inputSchema: { type: 'object' } },
  { name: 'count', inputSchema: { type: 'object' } },
];
const capabilities = {
  logging: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
};

const out = process.stdout;
const highWaterBytes = 1 << 20;
let answers = ''; // of the current read

const answer = (message) => {
  answers += `${JSON.stringify(message)}\n`;
};

function succeed(id, result, modern) {
  if (modern) {
    result.resultType = 'complete';
    result._meta = modernResultMeta;
  }
  answer({ jsonrpc: '2.0', id, result });
}

const fail = (id, code, message, data) =>
  answer({ jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const toolError = (value) => ({ content: [{ type: 'text', text: value }], isError: true });

function mismatch(tool, member, type, value) {
  const detail =
    value === undefined
      ? `${member} is required`
      : `${member} must be ${type === 'integer' ? 'an' : 'a'} ${type}`;
  return toolError(`Invalid arguments for tool ${tool}: ${detail}`);
}

function arithmetic(name, { a, b }) {
  if (typeof a !== 'number') return mismatch(name, 'a', 'number', a);
  if (typeof b !== 'number') return mismatch(name, 'b', 'number', b);
  if (name === 'add') return text(String(a + b));
  if (name === 'multiply') return text(String(a * b));
  return b === 0 ? toolError('Cannot divide by zero') : text(String(a / b));
}

function slow(id, { ms }, modern) {
  if (!Number.isInteger(ms)) return succeed(id, mismatch('slow', 'ms', 'integer', ms), modern);
  if (ms < 0) return succeed(id, toolError('Invalid arguments for tool slow: ms must be >= 0'), modern);
  setTimeout(() => {
    succeed(id, text(`waited ${ms} ms`), modern);
    flush();
  }, ms);
}

function call(id, params, modern) {
  const name = params?.name;
  if (typeof name !== 'string') return fail(id, -32602, 'Invalid params: name must be a string');
  const args = params.arguments ?? {};
  if (typeof args !== 'object' || Array.isArray(args))
    return fail(id, -32602, 'Invalid params: arguments must be an object');
  switch (name) {
    case 'add':
    case 'multiply':
    case 'divide':
      return succeed(id, arithmetic(name, args), modern);
    case 'echo':
      return succeed(
        id,
        typeof args.text === 'string' ? text(args.text) : mismatch(name, 'text', 'string', args.text),
        modern,
      );
    case 'slow':
      return slow(id, args, modern);
    default:
      return fail(id, -32602, `Unknown tool: ${name}`);
  }
}

function handle({ id, method, params }) {
  if (id === undefined || method === undefined) return;
  const version = params?._meta?.[versionKey];
  const modern = version !== undefined;
  if (modern && version !== '2026-07-28') {
    return fail(id, -32022, `Unsupported protocol version: ${version}`, {
      supported: ['2026-07-28'],
      requested: version,
    });
  }
  switch (method) {
    case 'tools/call':
      return call(id, params, modern);
    case 'tools/list':
      return succeed(id, modern ? { tools, ttlMs: 0, cacheScope: 'private' } : { tools }, modern);
    case 'initialize': {
      const asked = params?.protocolVersion;
      const protocolVersion = legacyVersions.has(asked) ? asked : '2025-11-25';
      return succeed(id, { protocolVersion, capabilities, serverInfo }, false);
    }
    case 'logging/setLevel': // it never logs
    case 'ping':
      if (!modern) return succeed(id, {}, false);
      break;
  }
  fail(id, -32601, `Method not found: ${method}`);
}

function flush() {
  if (answers === '') return;
  out.write(answers);
  answers = '';
}

let rest = Buffer.alloc(0); // the unfinished last line of the reads so far

function line(buffer, start, end) {
  if (start === end) return;
  try {
    handle(JSON.parse(buffer.utf8Slice(start, end)));
  } catch {
    // not JSON, or no object
  }
}

/** One read: every whole line, one write. */
function read(bytes) {
  let start = 0;
  let end = bytes.indexOf(10);
  if (rest.length > 0 && end >= 0) {
    const first = Buffer.concat([rest, bytes.subarray(0, end)]);
    line(first, 0, first.length);
    rest = Buffer.alloc(0);
    start = end + 1;
    end = bytes.indexOf(10, start);
  }
  while (end >= 0) {
    line(bytes, start, end);
    start = end + 1;
    end = bytes.indexOf(10, start);
  }
  if (start < bytes.length) rest = Buffer.concat([rest, bytes.subarray(start)]); // a copy: the read buffer is used again
  flush();
}

function finish() {
  line(rest, 0, rest.length);
  flush();
}

out.on('error', () => process.exit(0)); // the reader went away

if (fstatSync(0).isFile() || fstatSync(0).isCharacterDevice()) {
  createReadStream('', { fd: 0 }).on('data', read).on('end', finish);
} else {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const input = new Socket({
    fd: 0,
    onread: {
      buffer,
      callback(byteCount) {
        read(buffer.subarray(0, byteCount));
        if (out.writableLength < highWaterBytes) return true;
        out.once('drain', () => input.resume());
        return false;
      },
    },
  });
  input.on('end', finish).resume();
}
