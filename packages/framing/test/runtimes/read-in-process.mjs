// read-in-process.mjs STREAMS.json [ENGINE]: prints what this process makes of the streams. For Node, Deno and Bun.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { readStreams } from './read-frames.mjs';

const [, , file, engine] = process.argv;
process.stdout.write(JSON.stringify(readStreams(JSON.parse(readFileSync(file, 'utf8')), engine)));
