import { encodeJson, type IdSource, JsonEncoder } from '@linewire/framing';
import { isObject } from '../../json-object.ts';
import type { Violation } from '../../schema/violation.ts';
import { metaKeys } from '../../wire/versions.ts';
import type { Answers } from './answers.ts';
import type { Call } from './call.ts';
import { messageOf } from './message-of.ts';
import { NotAToolResult } from './not-a-tool-result.ts';
import { refusalOf } from './refusal-of.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { type EraShapes, legacyShapes, modernShapes, type ResultShape, wholeResult } from './result-shape.ts';

/** Tools whose results are remembered. */
const MAX_ENCODERS = 1024;

/**
 * Answers `tools/call` in both eras. A one-text result, the common case, is two constants around one string; a result object is encoded with the
 * modern members around it. Each tool has its encoder, since a tool's results have the same shapes again and again.
 */
export class ToolAnswers implements Answers {
  readonly subject = 'Tool';
  readonly method = 'tools/call';
  private readonly out: ReplyWriter;
  private readonly info: unknown;
  private readonly modern: EraShapes;
  private readonly texts: JsonEncoder = new JsonEncoder();
  private readonly byTool: Map<string, JsonEncoder> = new Map();

  constructor(out: ReplyWriter, infoText: string) {
    this.out = out;
    this.info = JSON.parse(infoText);
    this.modern = modernShapes(infoText);
  }

  /** The arguments do not fit the tool's schema. */
  misfit(idSource: IdSource, tool: string, { path, text }: Violation, modern: boolean): void {
    this.failure(idSource, `Invalid arguments for tool ${tool}: ${path} ${text}`, modern);
  }

  /** An error that the handler means for the protocol goes out as one; any other is the tool's failure. */
  failed(call: Call, error: unknown): void {
    const refusal = refusalOf(error, call);
    if (refusal !== undefined) this.out.refuse(call.idSource, refusal);
    else this.failure(call.idSource, messageOf(error), call.modern);
  }

  /**
   * What a handler returned.
   *
   * @throws NotAToolResult, or FramingError `ENCODE_REFUSED` with the path of the value that JSON cannot hold; nothing is sent then.
   */
  returned({ idSource, modern, target }: Call, value: unknown): void {
    if (typeof value === 'string') {
      this.out.answer(idSource, this.shapes(modern).text, value, this.texts);
      return;
    }
    const result = resultObject(value, modern);
    if (result === undefined)
      throw new NotAToolResult('neither a string nor an object with a content list or structuredContent');
    const saysItself = modern && (result['_meta'] !== undefined || result['resultType'] !== undefined);
    const shape: ResultShape = saysItself ? wholeResult : this.shapes(modern).object;
    this.out.answer(idSource, shape, saysItself ? this.completed(result) : result, this.encoder(target));
  }

  private failure(idSource: IdSource, text: string, modern: boolean): void {
    this.out.answer(idSource, this.shapes(modern).failure, text, this.texts);
  }

  private shapes(modern: boolean): EraShapes {
    return modern ? this.modern : legacyShapes;
  }

  /** A result that has some of the modern members, with all of them. */
  private completed(result: Record<string, unknown>): Record<string, unknown> {
    const meta = { ...(result['_meta'] as object | undefined), [metaKeys.serverInfo]: this.info };
    return { ...result, resultType: 'complete', _meta: meta };
  }

  private encoder(toolName: string): JsonEncoder {
    let encoder = this.byTool.get(toolName);
    if (encoder === undefined) {
      // A server may make up names as it goes.
      if (this.byTool.size >= MAX_ENCODERS) this.byTool.clear();
      encoder = new JsonEncoder();
      this.byTool.set(toolName, encoder);
    }
    return encoder;
  }
}

/** What goes out for a returned object: with a content list, and with nothing that a legacy client cannot take. */
function resultObject(value: unknown, modern: boolean): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const result = value as Record<string, unknown>;
  const structured = result['structuredContent'];
  const content = result['content'];
  if (structured === undefined) return Array.isArray(content) ? result : undefined;
  if (!Array.isArray(content)) {
    if (content !== undefined) return undefined;
    return resultObject({ ...result, content: [{ type: 'text', text: encodeJson(structured) }] }, modern);
  }
  return modern || isObject(structured) ? result : { ...result, structuredContent: undefined };
}
