// read-in-context.mjs STREAMS.json: like read-in-process.mjs, in a context that may not compile WebAssembly, which is how
// a Content-Security-Policy without 'wasm-unsafe-eval' shows to code. Needs --experimental-vm-modules.
//
// The context has what a browser has, and no Buffer.
import { readFileSync } from 'node:fs';
import { createContext, SourceTextModule } from 'node:vm';

const browserLike = { atob, queueMicrotask, TextDecoder, TextEncoder };
const context = createContext(browserLike, { codeGeneration: { strings: false, wasm: false } });

const main = moduleAt(new URL('read-frames.mjs', import.meta.url));
await main.link((name, from) => moduleAt(new URL(name, from.identifier)));
await main.evaluate();

const streams = JSON.parse(readFileSync(process.argv[2], 'utf8'));
process.stdout.write(JSON.stringify(main.namespace.readStreams(streams)));

function moduleAt(url) {
  return new SourceTextModule(readFileSync(url, 'utf8'), { context, identifier: url.href });
}
