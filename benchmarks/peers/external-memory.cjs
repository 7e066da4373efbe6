// Preloaded into a server: writes the largest `external` memory above that of its first answer's time to a file when it exits.
const { writeFileSync } = require('node:fs');

const reportPath = process.env.LINEWIRE_BENCH_EXTERNAL;
let least = Number.POSITIVE_INFINITY;
let most = 0;
const look = () => {
  const { external } = process.memoryUsage();
  least = Math.min(least, external);
  most = Math.max(most, external);
};
setInterval(look, 2).unref();
process.on('exit', () => writeFileSync(reportPath, JSON.stringify({ least, most })));
