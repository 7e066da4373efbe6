/**
 * Makes text that a peer, a child or a file said safe for a terminal: C0 controls but `\n` and `\t`, DEL, C1
 * controls and the marks that reorder text (bidi) become visible `\u….` escapes. Everything else stays, so
 * ordinary text in any script reads as before.
 */
export function printable(text: string): string {
  return escapeWhere(text, isRisky);
}

/** {@link printable} for output of one line per entry: line breaks and tabs become escapes too. */
export function printableLine(text: string): string {
  return escapeWhere(text, (unit) => unit < 0x20 || unit === 0x2028 || unit === 0x2029 || isRisky(unit));
}

function escapeWhere(text: string, risky: (unit: number) => boolean): string {
  let out = '';
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!risky(unit)) continue;
    out += text.slice(kept, at) + escapeUnit(unit);
    kept = at + 1;
  }
  return kept === 0 ? text : out + text.slice(kept);
}

function escapeUnit(unit: number): string {
  if (unit === 0x0a) return '\\n';
  if (unit === 0x09) return '\\t';
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function isRisky(unit: number): boolean {
  if (unit < 0x20) return unit !== 0x0a && unit !== 0x09;
  if (unit < 0x7f) return false;
  if (unit <= 0x9f) return true;
  return isBidiControl(unit);
}

/** ALM, LRM, RLM, the embeddings and overrides, the isolates. */
function isBidiControl(unit: number): boolean {
  return (
    unit === 0x061c ||
    unit === 0x200e ||
    unit === 0x200f ||
    (unit >= 0x202a && unit <= 0x202e) ||
    (unit >= 0x2066 && unit <= 0x2069)
  );
}
