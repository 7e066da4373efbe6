export { AnswerChecker, type CheckMode, type CheckReport, type Mismatch } from './answer-checker.ts';
export { type CallMix, type CallOutcome, type PlannedCall, plannedCall } from './call-plan.ts';
export {
  type Corpus,
  type CorpusDescription,
  type CorpusOptions,
  corpora,
  createCorpus,
} from './corpus.ts';
export type { CorpusName } from './corpus-lines.ts';
export {
  type CountingOptions,
  type CountingReport,
  checkAnswers,
  runCountingClient,
} from './counting-client.ts';
export { exitReportEnv, readExitReport } from './exit-report.ts';
export {
  answersFromList,
  answersFromText,
  type CallStream,
  callStreamAnswers,
  callStreamChunks,
  type ExpectedAnswers,
} from './expected-answers.ts';
export { type FaultChildPlan, faultChildArgs } from './fault-child.ts';
export { type FaultLink, faultLink, throughFaults } from './fault-link.ts';
export { type Fault, type FaultPlan, harmlessFaults, seededFaults } from './fault-plan.ts';
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
export { LineSplitter } from './line-splitter.ts';
export { messagesFolder, writeCallFile, writeMessageFiles } from './message-files.ts';
export { type ProcessSampler, type ProcessUsage, sampleProcess } from './process-sampler.ts';
export { mix32, Random } from './random.ts';
export { type Era, type RpcAnswer, serverInfo, toolList } from './rpc-lines.ts';
export { smokeAnswers, smokeLines } from './smoke-test.ts';
