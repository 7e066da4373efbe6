export { type CallMix, type CallOutcome, type PlannedCall, plannedCall } from './call-plan.ts';
export {
  answersFromList,
  answersFromText,
  type CallStream,
  callStreamAnswers,
  callStreamChunks,
  type ExpectedAnswers,
} from './expected-answers.ts';
export {
  type BlankFrame,
  type FaultyFrame,
  fixturePath,
  type HandedCase,
  type HandedFrame,
  handedCases,
  type RpcClass,
  type ValueFrame,
} from './handed-cases.ts';
export { messagesFolder, writeCallFile, writeMessageFiles } from './message-files.ts';
export { mix32, Random } from './random.ts';
export { type Era, type RpcAnswer, serverInfo, toolList } from './rpc-lines.ts';
export { smokeAnswers, smokeLines } from './smoke-test.ts';
