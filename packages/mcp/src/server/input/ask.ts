import { McpError } from '../../errors.ts';
import { isObject } from '../../json-object.ts';
import type { InputMethod } from '../api/input.ts';
import { FormCheck } from './form-check.ts';

const MAX_KEY_UNITS = 256;

/** What a handler asks for, found to be right. */
export interface Ask {
  readonly key: string;
  readonly method: InputMethod;
  readonly params: Readonly<Record<string, unknown>>;
  /** Of a form. */
  readonly form: FormCheck | undefined;
}

/** @throws McpError `OPTION_INVALID` for what cannot be asked. */
export function readAsk(key: unknown, request: unknown): Ask {
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_UNITS) {
    throw refused(`the key must be a string of 1 to ${MAX_KEY_UNITS} characters`);
  }
  // Clients collect the answers in an object, and most would lose this one.
  if (key === '__proto__') throw refused('the key must not be "__proto__"');
  if (!isObject(request)) throw refused('the request must be { method, params }', key);
  const { method, params = {} } = request;
  if (!isObject(params)) throw refused('params must be an object', key);
  switch (method) {
    case 'elicitation/create':
      return { key, method, params, form: readElicitation(key, params) };
    case 'sampling/createMessage':
      checkSampling(key, params);
      return { key, method, params, form: undefined };
    case 'roots/list':
      return { key, method, params, form: undefined };
    default:
      throw refused(
        `${JSON.stringify(method)} is not one of elicitation/create, sampling/createMessage, roots/list`,
        key,
      );
  }
}

function readElicitation(key: string, params: Readonly<Record<string, unknown>>): FormCheck | undefined {
  const { mode, message, requestedSchema, url } = params;
  if (typeof message !== 'string') throw refused('message must be a string', key);
  if (mode === undefined || mode === 'form') return new FormCheck(requestedSchema);
  if (mode !== 'url') throw refused('mode must be "form" or "url"', key);
  if (typeof url !== 'string' || !URL.canParse(url)) throw refused('url must be an absolute URL', key);
  return undefined;
}

function checkSampling(key: string, params: Readonly<Record<string, unknown>>): void {
  const { messages, maxTokens } = params;
  if (!Array.isArray(messages) || !messages.every(isSamplingMessage)) {
    throw refused('messages must be a list of { role, content }', key);
  }
  if (!Number.isSafeInteger(maxTokens) || (maxTokens as number) < 1) {
    throw refused('maxTokens must be an integer from 1', key);
  }
}

/** Also of what a client's model answers: it has these two members as well. */
export function isSamplingMessage(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const { role, content } = value;
  if (role !== 'user' && role !== 'assistant') return false;
  return Array.isArray(content) ? content.every(isBlock) : isBlock(content);
}

function isBlock(value: unknown): boolean {
  return isObject(value) && typeof value['type'] === 'string';
}

function refused(why: string, key?: string): McpError {
  return new McpError(
    'OPTION_INVALID',
    `requestInput${key === undefined ? '' : ` ${JSON.stringify(key)}`}: ${why}`,
  );
}
