// The bare echo loop: what comes from stdin goes to stdout, one write per read, no line is looked for.
//   node echo-bare.mjs onread | data
import { Socket } from 'node:net';

const out = process.stdout;
if (process.argv[2] === 'data') {
  process.stdin.on('data', (bytes) => out.write(bytes));
} else {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const callback = (count) => {
    out.write(Buffer.from(buffer.subarray(0, count))); // a copy: the read buffer is used again
    return true;
  };
  new Socket({ fd: 0, onread: { buffer, callback } }).resume();
}
