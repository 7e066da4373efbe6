import { type JsonConstant, jsonConstant } from '@linewire/framing';
import { metaKeys } from '../../wire/versions.ts';

/** What stands around the value of a result, from the request's id to the end of the frame. */
export interface ResultShape {
  readonly before: JsonConstant;
  readonly after: JsonConstant;
  /** The value is an object that loses its braces: its members stand among others. */
  readonly joins: boolean;
}

/** The shapes of `tools/call` results in one era. */
export interface EraShapes {
  /** One text block. */
  readonly text: ResultShape;
  /** One text block that says what failed. */
  readonly failure: ResultShape;
  /** A result object. */
  readonly object: ResultShape;
}

const ONE_TEXT = '"content":[{"type":"text","text":';

/** A result that is written as it is. */
export const wholeResult: ResultShape = shape(',"result":', '}', false);

export const legacyShapes: EraShapes = {
  text: shape(`,"result":{${ONE_TEXT}`, '}]}}', false),
  failure: shape(`,"result":{${ONE_TEXT}`, '}],"isError":true}}', false),
  object: wholeResult,
};

/** Modern results say that they are complete and who made them. */
export function modernShapes(infoText: string): EraShapes {
  const head = ',"result":{"resultType":"complete"';
  const tail = `,${serverMeta(infoText)}}}`;
  return {
    text: shape(`${head},${ONE_TEXT}`, `}]${tail}`, false),
    failure: shape(`${head},${ONE_TEXT}`, `}],"isError":true${tail}`, false),
    object: shape(head, tail, true),
  };
}

/** `"_meta":{…}` with the server's name, which modern results carry. */
export function serverMeta(infoText: string): string {
  return `"_meta":{"${metaKeys.serverInfo}":${infoText}}`;
}

function shape(before: string, after: string, joins: boolean): ResultShape {
  return { before: jsonConstant(before), after: jsonConstant(after), joins };
}
