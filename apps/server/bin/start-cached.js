'use strict';
// Starts a CommonJS bundle with the compiled code that an earlier start has left: what `module.enableCompileCache` does, for Node 20, which has no
// such function; 9 of 100 ms of a start that answers 1,000 lines. Same folder, same switches: NODE_COMPILE_CACHE names the folder (else
// `node-compile-cache` among the temporary files), NODE_DISABLE_COMPILE_CACHE=1 turns it off. Whatever is wrong with the cache, the bundle runs.
//
// V8 takes cached code for any source of the same length, and does not notice a flipped bit in it: such code crashes. So a cache file is
//   the source · the code · the code again
// and counts only if its source is the bundle's and its two codes are equal. Comparing takes 0.1 ms, a module that hashes 1.6 ms to load.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vm = require('node:vm');

const OPEN = '(function (exports, require, module, __filename, __dirname) {';
const CLOSE = '\n})';
/** A cache file is a few times as large as its source. A larger one is not ours, and is not read. */
const MAX_SIZES = 20;

/**
 * Runs a bundle. Its code is kept when the process exits: by then it holds the functions that were called.
 *
 * @param {string} file absolute path of the bundle: ASCII, requires nothing but built-in modules, and has no `import()`, which Node 20 allows in
 *   such a script only with a warning
 * @param {boolean} isTypical whether this start calls enough of the bundle for its code to be worth keeping
 */
module.exports = function startCached(file, isTypical) {
  const source = fs.readFileSync(file);
  const place = cachePlace(source.length);
  const cachedData = place === undefined ? undefined : readCode(place, source);
  const script = new vm.Script(OPEN + source.latin1Slice() + CLOSE, {
    filename: file,
    columnOffset: -OPEN.length,
    cachedData,
  });
  // V8 itself refuses the code of another version, or that of other flags.
  const isCached = cachedData !== undefined && !script.cachedDataRejected;
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, require, module, file, path.dirname(file));
  // Behind the listeners of the bundle: what it has to say at its end goes out first.
  if (isTypical && place !== undefined && !isCached)
    process.once('exit', () => keepCode(place, source, script));
};

/** @returns {string | undefined} one file per Node, user and length of the source: versions of the bundle do not take turns in it */
function cachePlace(sourceLength) {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = NODE_COMPILE_CACHE || path.join(os.tmpdir(), 'node-compile-cache');
  const user = process.getuid === undefined ? '' : `-${process.getuid()}`;
  return path.resolve(
    folder,
    `linewire-${process.version}-${process.arch}${user}`,
    `server-${sourceLength}.bin`,
  );
}

/** @returns {Buffer | undefined} the code in a cache file that can be trusted, and was compiled from this source */
function readCode(place, source) {
  let descriptor;
  try {
    descriptor = fs.openSync(place, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW || 0));
    const status = fs.fstatSync(descriptor);
    const codeLength = (status.size - source.length) / 2;
    if (!isOurs(status) || !Number.isInteger(codeLength) || codeLength <= 0) return undefined;
    if (status.size > source.length * MAX_SIZES) return undefined;
    const bytes = Buffer.allocUnsafeSlow(status.size);
    if (fs.readSync(descriptor, bytes, 0, status.size, 0) !== status.size) return undefined;
    const code = bytes.subarray(source.length, source.length + codeLength);
    const again = bytes.subarray(source.length + codeLength);
    return source.equals(bytes.subarray(0, source.length)) && code.equals(again) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Code from a folder that anybody may write to runs only if nobody else can have written it. */
function isOurs({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** A folder that cannot be written, a full disk: the next start compiles again. */
function keepCode(place, source, script) {
  // Under its final name the file is always whole, whoever starts at the same time.
  const unfinished = `${place}.${process.pid}`;
  let descriptor;
  try {
    const code = script.createCachedData();
    makeFolder(path.dirname(path.dirname(place)));
    makeFolder(path.dirname(place));
    descriptor = fs.openSync(unfinished, 'wx', 0o600);
    fs.writeFileSync(descriptor, Buffer.concat([source, code, code]));
    fs.renameSync(unfinished, place);
  } catch {
    // Only what is ours: in another container a process of the same number may be writing.
    if (descriptor !== undefined) fs.rmSync(unfinished, { force: true });
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** One level: in a folder that takes no folders (`/proc`), the recursive way of Node 20 never ends. */
function makeFolder(folder) {
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 });
}
