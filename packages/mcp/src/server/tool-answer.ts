import { encodeJson, encodeText } from '@linewire/framing';
import { metaKeys } from '../wire/versions.ts';

/** A handler's return value that is no tool result. */
export class NotAToolResult extends Error {}

const LEGACY_HEAD = '{"content":[{"type":"text","text":';
const LEGACY_TAIL = '}]}';
const LEGACY_ERROR_TAIL = '}],"isError":true}';
const MODERN_HEAD = `{"resultType":"complete",${LEGACY_HEAD.slice(1)}`;

/**
 * Texts of `tools/call` results in both eras. A one-text result, the common case, is two constants around one
 * encoded string; a result object is encoded once and the modern members are put around it.
 */
export class ToolAnswers {
  /** `"_meta":{…}` with the server's name, which modern results carry. */
  readonly modernMeta: string;
  private readonly infoText: string;
  private readonly modernTail: string;
  private readonly modernErrorTail: string;

  constructor(infoText: string) {
    this.infoText = infoText;
    this.modernMeta = `"_meta":{"${metaKeys.serverInfo}":${infoText}}`;
    this.modernTail = `}],${this.modernMeta}}`;
    this.modernErrorTail = `}],"isError":true,${this.modernMeta}}`;
  }

  /** A result of one text block. */
  text(text: string, modern: boolean): string {
    return modern
      ? MODERN_HEAD + encodeText(text) + this.modernTail
      : LEGACY_HEAD + encodeText(text) + LEGACY_TAIL;
  }

  /** The tool failed, or its arguments did not fit. */
  failure(text: string, modern: boolean): string {
    return modern
      ? MODERN_HEAD + encodeText(text) + this.modernErrorTail
      : LEGACY_HEAD + encodeText(text) + LEGACY_ERROR_TAIL;
  }

  /**
   * What a handler returned.
   *
   * @throws NotAToolResult, or FramingError `ENCODE_REFUSED` with the path of the value that JSON cannot hold.
   */
  returned(value: unknown, modern: boolean): string {
    if (typeof value === 'string') return this.text(value, modern);
    if (
      typeof value !== 'object' ||
      value === null ||
      !Array.isArray((value as { content?: unknown }).content)
    ) {
      throw new NotAToolResult('neither a string nor an object with a content list');
    }
    if (!modern) return encodeJson(value);
    const result = value as Record<string, unknown>;
    if (result['_meta'] === undefined && result['resultType'] === undefined) {
      const json = encodeJson(result);
      // Not for an object whose toJSON made something else of it.
      if (json.startsWith('{"')) return `{"resultType":"complete",${json.slice(1, -1)},${this.modernMeta}}`;
      throw new NotAToolResult('an object that encodes as something else');
    }
    const meta = {
      ...(result['_meta'] as object | undefined),
      [metaKeys.serverInfo]: JSON.parse(this.infoText),
    };
    return encodeJson({ ...result, resultType: 'complete', _meta: meta });
  }
}
