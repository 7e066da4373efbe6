import { isDeepStrictEqual } from 'node:util';
import { createSimdjsonValidator, type SimdjsonValidator } from '../../src/simdjson/index.ts';
import { FullScan } from '../support/full-scan.ts';
import { type JsonText, parsed } from '../support/json-corpora.ts';
import { type SimdjsonPackage, simdjsonPackage } from '../support/simdjson.ts';
import { tamed } from './differences.ts';

/** Asks the full scan, `JSON.parse` and simdjson about the same texts. */
export class ThirdOpinion {
  readonly #scan: FullScan = new FullScan();
  readonly #validator: SimdjsonValidator = createSimdjsonValidator();
  readonly #simdjson: SimdjsonPackage = simdjsonPackage();

  /** What is wrong, in words: the scan differs from `JSON.parse`, or simdjson does in a way that the list does not know. */
  complaint(text: JsonText): string | undefined {
    const isJson = text.expected !== undefined;
    if (this.#scan.accepts(text.bytes) !== isJson)
      return `${text.name}: the full scan says ${!isJson}, JSON.parse ${isJson}`;
    const difference = this.#difference(text);
    if (difference === undefined || !isJson) return difference;
    const bytes = Buffer.from(tamed(new TextDecoder().decode(text.bytes)));
    return this.#difference({ name: `${text.name}, tamed`, bytes, expected: parsed(bytes) });
  }

  /** How simdjson differs from `JSON.parse`, listed or not. */
  #difference({ name, bytes, expected }: JsonText): string | undefined {
    const isValid = this.#validator.isValid(bytes);
    if (isValid !== (expected !== undefined))
      return `${name}: simdjson says ${isValid}, JSON.parse ${!isValid}`;
    if (expected === undefined) return undefined;
    const value = this.#simdjson.parse(Buffer.from(bytes).toString());
    return isDeepStrictEqual(value, expected.value)
      ? undefined
      : `${name}: simdjson makes another value of it`;
  }
}
