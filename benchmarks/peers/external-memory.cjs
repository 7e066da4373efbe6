// Preloaded into a process: every 20 ms it collects garbage and notes how much `external` memory and how much of the JavaScript heap is alive;
// least and most of each are written at exit.
const { writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const seen = [];
const look = () => {
  // Twice: array buffers are swept after the cycle that found them dead.
  collectGarbage();
  collectGarbage();
  seen.push(process.memoryUsage());
};
setInterval(look, 20).unref();
process.on('exit', () => {
  const { LINEWIRE_BENCH_EXTERNAL: path } = process.env;
  const range = (name) => {
    const values = seen.map((usage) => usage[name]);
    return { least: Math.min(...values), most: Math.max(...values) };
  };
  if (path) writeFileSync(path, JSON.stringify({ external: range('external'), heap: range('heapUsed') }));
});
