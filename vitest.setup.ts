import { endColdness as walkFromTheStart } from './packages/framing/src/json/shapes/warm-up.ts';
import { endColdness as writeFromTheStart } from './packages/mcp/src/server/run/cold-answers.ts';

// The first thousand messages of a thread take other ways, which have tests of their own: all others are about the ways of the rest.
walkFromTheStart();
writeFromTheStart();
