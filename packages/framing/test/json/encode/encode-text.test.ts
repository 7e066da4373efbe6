import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/json/encode/encode-text.ts';

describe('encoding a text', () => {
  it('equals JSON.stringify for every unit, short and long', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const text = `a${String.fromCharCode(unit)}b`;
      if (encodeText(text) !== JSON.stringify(text)) expect.fail(`unit ${unit}`);
    }
    for (const text of ['', 'x'.repeat(24), 'x'.repeat(25), `${'x'.repeat(23)}"`, 'naïve 🧪']) {
      expect(encodeText(text)).toBe(JSON.stringify(text));
    }
  });
});
