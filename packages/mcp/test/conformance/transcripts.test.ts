import { runChecks } from './check.ts';
import { checks } from './checks/transcripts.ts';

runChecks('transcripts', checks);
