import { FORM_ARRAY, FORM_NONE, FORM_OBJECT, FORM_STRING } from '../engine/forms.ts';
import {
  CODE_ID,
  CODE_METHOD,
  CODE_NONE,
  CODE_OUTCOME,
  CODE_PARAMS,
  CODE_SHAPE,
  CODE_VERSION,
  ID_ABSENT,
  ID_INTEGER_SPELLED,
  ID_NULL,
  ID_STRING,
  KIND_BATCH,
  KIND_ERROR,
  KIND_INVALID,
  KIND_NOTIFICATION,
  KIND_REQUEST,
  KIND_RESULT,
} from '../table/meta.ts';

/** What was seen at depth 1 of one frame. */
export interface EnvelopeFacts {
  /** Type of the root value. */
  readonly rootForm: number;
  /** `jsonrpc` is the string "2.0". */
  readonly versionGood: boolean;
  readonly idForm: number;
  readonly methodForm: number;
  readonly paramsForm: number;
  readonly resultForm: number;
  readonly errorForm: number;
}

/**
 * The first rule that the envelope breaks, as a code, or `CODE_NONE`. The order of the tests is the order of precedence:
 * shape, (duplicate is a fault and found earlier,) version, id, method, outcome, params.
 */
export function envelopeCode(facts: EnvelopeFacts): number {
  if (facts.rootForm === FORM_ARRAY) return CODE_NONE;
  if (facts.rootForm !== FORM_OBJECT) return CODE_SHAPE;
  if (!facts.versionGood) return CODE_VERSION;
  const isCall = facts.methodForm !== FORM_NONE;
  const hasResult = facts.resultForm !== FORM_NONE;
  const hasError = facts.errorForm !== FORM_NONE;
  if (!isIdGood(facts.idForm, isCall, hasResult, hasError)) return CODE_ID;
  if (isCall && facts.methodForm !== FORM_STRING) return CODE_METHOD;
  if (isCall ? hasResult || hasError : hasResult === hasError) return CODE_OUTCOME;
  if (hasResult && facts.resultForm !== FORM_OBJECT) return CODE_OUTCOME;
  if (hasError && facts.errorForm !== FORM_OBJECT) return CODE_OUTCOME;
  if (facts.paramsForm !== FORM_NONE && facts.paramsForm !== FORM_OBJECT) return CODE_PARAMS;
  return CODE_NONE;
}

/** A string or an integer; an answer needs one, except that an error may say "I could not read your id" by null or by absence. */
function isIdGood(idForm: number, isCall: boolean, hasResult: boolean, hasError: boolean): boolean {
  if (idForm >= ID_STRING && idForm <= ID_INTEGER_SPELLED) return true;
  if (idForm === ID_ABSENT) return isCall || !hasResult;
  return idForm === ID_NULL && hasError && !hasResult && !isCall;
}

/** The kind of a frame whose `envelopeCode` is known. */
export function envelopeKind(facts: EnvelopeFacts, code: number): number {
  if (code !== CODE_NONE) return KIND_INVALID;
  if (facts.rootForm === FORM_ARRAY) return KIND_BATCH;
  if (facts.methodForm !== FORM_NONE) return facts.idForm === ID_ABSENT ? KIND_NOTIFICATION : KIND_REQUEST;
  return facts.resultForm !== FORM_NONE ? KIND_RESULT : KIND_ERROR;
}
