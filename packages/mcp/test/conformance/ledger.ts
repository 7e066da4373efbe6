import { expect } from 'vitest';

/** Codes that a server may send on stdio: none of the implementations' old range, and none of HTTP's. */
const CODES: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32603, -32021, -32022]);
/** What a server may say by itself, in either era. */
const NOTIFICATIONS =
  /^notifications\/(cancelled|progress|message|(tools|prompts|resources)\/list_changed|resources\/updated|subscriptions\/acknowledged)$/;
/** What the reader looks at; all else is passed over. */
const ENVELOPE: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const REQUESTS = /^(elicitation\/create|sampling\/createMessage|roots\/list|ping)$/;

/**
 * What the client asked, and what it got. It knows no rule of any method: each line of the server must be one whole message, an answer
 * must belong to a request, and every valid request is answered once, unless it was cancelled. It shares no code with what it judges.
 */
export class Ledger {
  private readonly maxFrameBytes: number;
  /** How many messages with an id were sent, by the id as JSON: no more answers than these. */
  private readonly asked: Map<string, number> = new Map();
  /** How many of them are valid requests: no fewer answers than these. */
  private readonly owed: Map<string, number> = new Map();
  private readonly answered: Map<string, number> = new Map();
  private readonly cancelled: Set<string> = new Set();
  private readonly asks: Set<string> = new Set();

  constructor(maxFrameBytes = Number.POSITIVE_INFINITY) {
    this.maxFrameBytes = maxFrameBytes;
  }

  /** The client sends a line. */
  client(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString();
    const members = topMembers(text);
    const isPassedOver = members.some((name) => !ENVELOPE.has(name));
    const messages = messagesIn(text.replace(/^\uFEFF/, ''));
    for (const message of messages) {
      if ('id' in message) add(this.asked, JSON.stringify(message.id));
      if (message.method === 'notifications/cancelled') {
        this.cancelled.add(JSON.stringify(message.params?.requestId));
      }
    }
    if (bytes.length > this.maxFrameBytes || (messages.length === 0 && isPassedOver)) {
      // What is too long is answered by the id that was found, whatever else is in the line; and members that nobody knows are passed
      // over, without a look at whether they are JSON.
      for (const [, id] of text.matchAll(/"id"\s*:\s*("[^"]*"|-?\d+)/g)) add(this.asked, id as string);
      return;
    }
    const [message] = text.startsWith('{') && Buffer.from(text).equals(bytes) ? messages : [];
    if (message !== undefined && isRequest(message) && new Set(members).size === members.length) {
      add(this.owed, JSON.stringify(message.id));
    }
  }

  /** The server writes a line. */
  server(line: string): void {
    expect(line).not.toMatch(/[\r\n]/);
    const parsed: unknown = JSON.parse(line);
    if (!Array.isArray(parsed)) this.message(parsed);
    else {
      expect(parsed).not.toEqual([]);
      for (const message of parsed) this.message(message);
    }
  }

  /** To be called when the session has ended. */
  expectPaid(): void {
    for (const [id, count] of this.owed) {
      if (this.cancelled.has(id)) continue;
      expect(this.answered.get(id) ?? 0, `answers for ${id}`).toBeGreaterThanOrEqual(count);
    }
  }

  private message(message: Message): void {
    expect(message.jsonrpc).toBe('2.0');
    if (message.method !== undefined) {
      this.fromServer(message);
      return;
    }
    const { id, result, error } = message;
    expect('result' in message).not.toBe('error' in message);
    if ('result' in message) expect(result).toEqual(expect.any(Object));
    else {
      expect(error.message).toBeTypeOf('string');
      expect(CODES).toContain(error.code);
    }
    // Only an empty batch is refused without an id.
    if (id === undefined) return;
    const key = JSON.stringify(id);
    add(this.answered, key);
    expect(this.answered.get(key), `answers for ${key}`).toBeLessThanOrEqual(this.asked.get(key) ?? 0);
  }

  private fromServer(message: Message): void {
    expect('result' in message || 'error' in message).toBe(false);
    if ('params' in message) expect(message.params).toEqual(expect.any(Object));
    expect(message.method).toMatch('id' in message ? REQUESTS : NOTIFICATIONS);
    if (!('id' in message)) return;
    const id = JSON.stringify(message.id);
    expect(this.asks, 'ids of requests to the client').not.toContain(id);
    this.asks.add(id);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what was said may be anything
type Message = any;

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function messagesIn(text: string): Message[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'object' && item !== null);
}

function isRequest({ jsonrpc, id, method, params, ...rest }: Message): boolean {
  const isId = typeof id === 'string' || Number.isInteger(id);
  const hasParams = params === undefined || (typeof params === 'object' && !Array.isArray(params));
  return (
    jsonrpc === '2.0' &&
    isId &&
    typeof method === 'string' &&
    hasParams &&
    !('result' in rest || 'error' in rest)
  );
}

/** Names of the members of the outermost object, as far as a text is one. */
function topMembers(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (depth === 1 && token.endsWith(':')) names.push(token.slice(1, token.lastIndexOf('"')));
  }
  return names;
}
