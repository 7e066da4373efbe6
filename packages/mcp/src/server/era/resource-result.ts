import { RpcError } from '../../errors.ts';
import { isObject } from '../../json-object.ts';
import type { CacheHint } from '../api/cache-hint.ts';
import { NotAToolResult } from '../run/not-a-tool-result.ts';
import type { ResultObject } from '../run/object-answers.ts';
import { resourceNotFound } from './refusals.ts';

/**
 * The result of `resources/read` for what a reader returned.
 *
 * @param cache - put into the result; `undefined` for a legacy client.
 * @throws RpcError for a resource that is not there, NotAToolResult for a value that is no content.
 */
export function resourceResult(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
  cache: CacheHint | undefined,
): ResultObject {
  if (value === undefined) {
    const { code, message, data } = resourceNotFound(uri);
    throw new RpcError(code, message, data);
  }
  const whole = isObject(value) && Array.isArray(value['contents']) ? value : { contents: listOf(value) };
  const contents = (whole['contents'] as unknown[]).map((one) => contentOf(one, uri, mimeType));
  return { ...whole, contents, ...cache };
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return [
    typeof value === 'string' ? { text: value } : value instanceof Uint8Array ? { blob: value } : value,
  ];
}

function contentOf(content: unknown, uri: string, mimeType: string | undefined): Record<string, unknown> {
  if (!isObject(content)) throw notContent();
  const { text, blob } = content;
  const named = { ...content, uri: content['uri'] ?? uri, mimeType: content['mimeType'] ?? mimeType };
  if (blob instanceof Uint8Array) return { ...named, blob: base64(blob) };
  if (typeof text !== 'string' && typeof blob !== 'string') throw notContent();
  return named;
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function notContent(): NotAToolResult {
  return new NotAToolResult(
    'neither a string, nor bytes, nor an object with text or blob, nor a list of such',
  );
}
