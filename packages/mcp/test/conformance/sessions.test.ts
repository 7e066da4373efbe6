import { runChecks } from './check.ts';
import { checks } from './checks/sessions.ts';

// The child process runs the built package: needs a build.

runChecks('a session', checks);
