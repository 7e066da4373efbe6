import { encodeJson, encodeText, type IdSource, JsonEncoder, jsonConstant } from '@linewire/framing';
import type { FrameWriter } from '@linewire/transport';
import { NotAToolResult } from './not-a-tool-result.ts';
import { type ResultShape, wholeResult } from './result-shape.ts';

const HEAD = jsonConstant('{"jsonrpc":"2.0","id":');
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;

/** The result of one call as a frame that writes itself: constants, the id as it came, and the encoded value. One object serves all calls. */
export class ResultFrame implements FrameWriter {
  private idSource: IdSource = '';
  private shape: ResultShape = wholeResult;
  private value: unknown = undefined;
  private encoder: JsonEncoder = new JsonEncoder();

  /** The frame that is written next. `encoder`: the one that knows values of this origin. */
  set(idSource: IdSource, shape: ResultShape, value: unknown, encoder: JsonEncoder): void {
    this.idSource = idSource;
    this.value = value;
    // Mostly the same as before, and a store into an old object costs more than a look.
    if (this.shape !== shape) this.shape = shape;
    if (this.encoder !== encoder) this.encoder = encoder;
  }

  /** Lets go of the value, which may be megabytes, until the next one is set. */
  forget(): void {
    this.value = undefined;
  }

  /**
   * @throws FramingError `ENCODE_REFUSED` with the path of what JSON cannot hold; `NotAToolResult` for an object that encodes as something
   *   that has no members.
   */
  writeInto(target: Uint8Array, start: number): number {
    const { encoder, shape } = this;
    let at = encoder.constantInto(target, start, HEAD);
    if (at >= 0) at = idInto(encoder, target, at, this.idSource);
    if (at >= 0) at = encoder.constantInto(target, at, shape.before);
    if (at >= 0) at = shape.joins ? this.membersInto(target, at) : this.valueInto(target, at);
    return at < 0 ? at : encoder.constantInto(target, at, shape.after);
  }

  text(): string {
    const { before, after, joins } = this.shape;
    const { value } = this;
    const json = typeof value === 'string' ? encodeText(value) : encodeJson(value);
    if (joins ? !json.startsWith('{"') : this.shape === wholeResult && !json.startsWith('{'))
      throw withoutMembers();
    return HEAD.text + this.idSource + before.text + (joins ? `,${json.slice(1, -1)}` : json) + after.text;
  }

  private valueInto(target: Uint8Array, start: number): number {
    const end = this.encoder.encodeInto(target, start, this.value);
    if (end >= 0 && this.shape === wholeResult && target[start] !== OPEN_BRACE) throw withoutMembers();
    return end;
  }

  /** A comma takes the place of the opening brace; what follows overwrites the closing one. */
  private membersInto(target: Uint8Array, start: number): number {
    const end = this.encoder.encodeInto(target, start, this.value);
    if (end < 0) return end;
    if (target[start] !== OPEN_BRACE || target[start + 1] !== QUOTE) throw withoutMembers();
    target[start] = COMMA;
    return end - 1;
  }
}

function idInto(encoder: JsonEncoder, target: Uint8Array, at: number, id: IdSource): number {
  return typeof id === 'number' ? encoder.naturalInto(target, at, id) : encoder.textInto(target, at, id);
}

/** Of an object whose toJSON made something else of it. */
function withoutMembers(): NotAToolResult {
  return new NotAToolResult('an object that encodes as something else');
}
