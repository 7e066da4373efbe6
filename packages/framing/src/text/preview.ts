/** The first bytes of something bad, printable: ASCII as it is, a backslash doubled, every other byte as `\xNN`. */
export function escapedPreview(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += escapedByte(bytes[i]);
  return text;
}

function escapedByte(byte: number): string {
  if (byte === 0x5c) return '\\\\';
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
