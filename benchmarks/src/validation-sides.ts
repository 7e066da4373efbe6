/** What is asked whether a frame is JSON, as the tables name it. `full` is the frame table, wasm engine, `validate: 'full'`. */
export const validationSides = { parse: 'JSON.parse', simdjson: 'simdjson', full: 'full' } as const;

export type ValidationSide = keyof typeof validationSides;

/** What the frames hold. */
export type FrameContent = 'call' | 'text' | 'base64' | 'Thai' | 'records';

/** One kind of frame of about one size, newline not counted. */
export interface ValidationCase {
  readonly content: FrameContent;
  readonly frameBytes: number;
}

/** Unique, and what the group's rows are found by. */
export function validationName({ content, frameBytes }: ValidationCase): string {
  return `${content}, ${sizeName(frameBytes)}`;
}

/** `100 B`, `10 KB`, `1 MB`: powers of ten. */
export function sizeName(byteCount: number): string {
  if (byteCount < 1000) return `${byteCount} B`;
  return byteCount < 1_000_000 ? `${byteCount / 1000} KB` : `${byteCount / 1_000_000} MB`;
}
