import { BACKSLASH, CLOSE_BRACE, LF, NON_ASCII, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE } from '../bytes.ts';
import { firstOdd, LONG_TEXT_BYTES, oddBytes, plainTextEnd, WORD_BYTES } from '../text/plain-text.ts';
import { BRACE_BIT, BRACE_SHIFT, OUTER_KINDS, WORD_LEVELS_MASK, WORD_LEVELS_SHIFT } from './nesting.ts';
import { sequencesEnd } from './utf8.ts';

/**
 * End of the container that begins at `start`, checked as `validate: 'envelope'` asks for: strings, brackets by kind, UTF-8.
 * Negative when it holds non-ASCII text, 0 when the bet is lost. `levels` is how deep it may nest, itself included.
 */
export function skimmedEnd(
  bytes: Uint8Array,
  words: Int32Array,
  view: DataView,
  start: number,
  levels: number,
): number {
  if (levels < 1) return 0;
  let i = start + 1;
  let depth = 1;
  // One bit per open container, the innermost lowest: 1 for an object.
  let kinds = 1;
  let ascii = true;
  for (;;) {
    const byte = bytes[i++];
    if (byte === QUOTE) {
      // Text as far as `long` is looked at here (in line, a call costs 3 % of short messages), then by `plainTextEnd`. Where
      // one piece was long, as between the escapes of source code, the next is taken for long at once.
      let short = LONG_TEXT_BYTES;
      for (;;) {
        let odd = oddBytes(view.getInt32(i, true));
        if (odd === 0) {
          const long = i + short;
          do {
            i += WORD_BYTES;
            if (i >= long) {
              i = plainTextEnd(bytes, words, i, bytes.length);
              short = i - long < LONG_TEXT_BYTES ? LONG_TEXT_BYTES : WORD_BYTES;
            }
            odd = oddBytes(view.getInt32(i, true));
          } while (odd === 0);
        }
        i += firstOdd(odd);
        const stop = bytes[i++];
        if (stop === QUOTE) break;
        if (stop === BACKSLASH) {
          const escaped = bytes[i++];
          if (escaped < SPACE || escaped >= NON_ASCII) return 0;
        } else if (stop >= NON_ASCII) {
          i = sequencesEnd(bytes, view, i - 1);
          if (i === 0) return 0;
          ascii = false;
        } else {
          return 0;
        }
      }
    } else if (byte < OPEN_BRACKET) {
      // Numbers, commas, colons, space: most of what stands between strings.
      if (byte === LF) return 0;
    } else if (byte >= NON_ASCII) {
      i = sequencesEnd(bytes, view, i - 1);
      if (i === 0) return 0;
      ascii = false;
    } else if ((byte | BRACE_BIT) === OPEN_BRACE) {
      if (depth === levels) return 0;
      if ((depth & WORD_LEVELS_MASK) === 0) OUTER_KINDS[depth >> WORD_LEVELS_SHIFT] = kinds;
      depth++;
      kinds = (kinds << 1) | ((byte >> BRACE_SHIFT) & 1);
    } else if ((byte | BRACE_BIT) === CLOSE_BRACE) {
      if (((kinds ^ (byte >> BRACE_SHIFT)) & 1) !== 0) return 0;
      depth--;
      if ((depth & WORD_LEVELS_MASK) === 0) {
        if (depth === 0) return ascii ? i : -i;
        kinds = OUTER_KINDS[depth >> WORD_LEVELS_SHIFT];
      } else {
        kinds >>>= 1;
      }
    }
  }
}
