import { runChecks } from './check.ts';
import { checks } from './checks/mutated.ts';

runChecks('mutated transcripts', checks);
