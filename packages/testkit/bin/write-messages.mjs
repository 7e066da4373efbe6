#!/usr/bin/env node
// Writes the message files and their expected answers. Usage: write-messages.mjs [FOLDER]; default: messages/ at the repository root.
import { writeMessageFiles } from '../dist/index.js';

for (const path of writeMessageFiles(process.argv[2])) process.stdout.write(`${path}\n`);
