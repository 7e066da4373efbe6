#!/usr/bin/env node
import module from 'node:module';

// Absent before Node 22.1; a named import would not link there.
module.enableCompileCache?.();
await import('../dist/main.js');
