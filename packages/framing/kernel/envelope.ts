import { FORM_ARRAY, FORM_NONE, FORM_OBJECT, FORM_STRING } from '../src/engine/forms.ts';
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
} from '../src/table/meta.ts';
import { machine, record } from './state.ts';

/** The first rule that the envelope breaks, as a code, or `CODE_NONE`. The order of the tests is the order of precedence. */
export function envelopeCode(): i32 {
  if (machine.rootForm == FORM_ARRAY) return CODE_NONE;
  if (machine.rootForm != FORM_OBJECT) return CODE_SHAPE;
  if (!record.versionGood) return CODE_VERSION;
  const isCall = record.methodForm != FORM_NONE;
  const hasResult = record.resultForm != FORM_NONE;
  const hasError = record.errorForm != FORM_NONE;
  if (!isIdGood(record.idForm, isCall, hasResult, hasError)) return CODE_ID;
  if (isCall && record.methodForm != FORM_STRING) return CODE_METHOD;
  if (isCall ? hasResult || hasError : hasResult == hasError) return CODE_OUTCOME;
  if (hasResult && record.resultForm != FORM_OBJECT) return CODE_OUTCOME;
  if (hasError && record.errorForm != FORM_OBJECT) return CODE_OUTCOME;
  if (record.paramsForm != FORM_NONE && record.paramsForm != FORM_OBJECT) return CODE_PARAMS;
  return CODE_NONE;
}

/** A string or an integer; an answer needs one, except that an error may say "I could not read your id" by null or by absence. */
function isIdGood(idForm: i32, isCall: bool, hasResult: bool, hasError: bool): bool {
  if (idForm >= ID_STRING && idForm <= ID_INTEGER_SPELLED) return true;
  if (idForm == ID_ABSENT) return isCall || !hasResult;
  return idForm == ID_NULL && hasError && !hasResult && !isCall;
}

/** The kind of a frame whose `envelopeCode` is known. */
export function envelopeKind(code: i32): i32 {
  if (code != CODE_NONE) return KIND_INVALID;
  if (machine.rootForm == FORM_ARRAY) return KIND_BATCH;
  if (record.methodForm != FORM_NONE) return record.idForm == ID_ABSENT ? KIND_NOTIFICATION : KIND_REQUEST;
  return record.resultForm != FORM_NONE ? KIND_RESULT : KIND_ERROR;
}
