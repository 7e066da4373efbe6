// Reads streams with the built package. Every runtime runs it, a browser among them, so it imports nothing else.
import { activeEngine, createFrameReader } from '../../dist/index.js';

/**
 * What this runtime makes of `streams` (`{ name, base64, chunkBytes }`): the engine that is active, the frames of every stream as text,
 * one line each, and how many frames the engine handed on to another one.
 */
export function readStreams(streams, engine) {
  try {
    const frames = {};
    let fallbackFrames = 0;
    for (const { name, base64, chunkBytes } of streams) {
      const lines = [];
      const reader = createFrameReader({
        ...(engine === undefined ? {} : { engine }),
        onFrames(batch) {
          for (let i = 0; i < batch.count; i++) lines.push(frameLine(batch, i));
        },
      });
      const bytes = bytesOf(base64);
      for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
      reader.end();
      frames[name] = lines.join('\n');
      fallbackFrames += reader.stats().fallbackFrames;
    }
    return { active: activeEngine(), frames, fallbackFrames };
  } catch (error) {
    return { failure: `${error.code ?? error.name}: ${error.message}`, cause: error.cause?.name };
  }
}

function frameLine(batch, i) {
  const fault = batch.fault(i);
  const marks = [batch.unterminated(i), batch.ascii(i), fault?.code, fault?.offset, batch.idText(i)];
  const texts = [batch.method(i), batch.payloadText(i), batch.text(i)];
  return [batch.start(i), batch.end(i), batch.kind(i), ...marks, ...texts.map(fingerprint)].join(' ');
}

/** Length and FNV-1a hash of a text; of a long one, every few characters. */
function fingerprint(text) {
  if (text === undefined) return '-';
  const step = 1 + (text.length >> 16);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += step) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length}:${(hash >>> 0).toString(16)}`;
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
