#!/usr/bin/env node
import module from 'node:module';

// Node 22 and later keep the compiled code of the bundle; Node 20 has no such function.
module.enableCompileCache?.();
await import('../dist/main.js');
