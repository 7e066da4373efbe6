// Preloaded into a process: every 20 ms it collects garbage and notes how much `external` memory is alive; least and most are written at exit.
const { writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const external = [];
const look = () => {
  // Twice: array buffers are swept after the cycle that found them dead.
  collectGarbage();
  collectGarbage();
  external.push(process.memoryUsage().external);
};
setInterval(look, 20).unref();
process.on('exit', () => {
  const { LINEWIRE_BENCH_EXTERNAL: path } = process.env;
  if (path)
    writeFileSync(path, JSON.stringify({ least: Math.min(...external), most: Math.max(...external) }));
});
