// Sends one line at a time to each of several echoing processes, in turns, and waits for it to come back.
//   node round-trips.mjs ROUNDS TRIPS_PER_ROUND SIDES      SIDES: JSON, {"name": [file, ...args]}
// The processes run on this Node and on the cores that this process may use. Prints JSON: ns per round trip, by side and round.
import { spawn } from 'node:child_process';

const [, , rounds, trips, sidesText] = process.argv;
const line = Buffer.from(
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}\n',
);
const warmUpTrips = 3000;
const nsPerMs = 1e6;

class Side {
  #child;
  #back = 0;
  #left = 0;
  #done;

  constructor(args) {
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdout.on('data', (bytes) => {
      this.#back += bytes.length;
      if (this.#back < line.length) return;
      if (this.#back > line.length) throw new Error('more came back than was sent');
      this.#back = 0;
      if (--this.#left > 0) this.#child.stdin.write(line);
      else this.#done();
    });
  }

  trips(count) {
    return new Promise((resolve, reject) => {
      this.#left = count;
      this.#done = resolve;
      this.#child.once('exit', () => reject(new Error('it ended before its line came back')));
      this.#child.stdin.write(line);
    }).finally(() => this.#child.removeAllListeners('exit'));
  }

  end() {
    this.#child.stdin.end();
  }
}

const sides = Object.entries(JSON.parse(sidesText)).map(([name, args]) => ({
  name,
  side: new Side(args),
  samples: [],
}));
for (const { side } of sides) await side.trips(warmUpTrips);
for (let round = 0; round < Number(rounds); round++) {
  for (const { side, samples } of sides) {
    const from = performance.now();
    await side.trips(Number(trips));
    samples.push(((performance.now() - from) * nsPerMs) / Number(trips));
  }
}
for (const { side } of sides) side.end();
process.stdout.write(JSON.stringify(Object.fromEntries(sides.map(({ name, samples }) => [name, samples]))));
