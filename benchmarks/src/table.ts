/** A table with its caption; text and Markdown are rendered from the same cells. */
export interface Table {
  readonly caption: string;
  readonly header: readonly string[];
  /** The first column is text, the others are numbers unless `leftColumns` says more. */
  readonly rows: readonly (readonly string[])[];
  readonly leftColumns: number;
  readonly note?: string;
}

/** What a cell shows when there is nothing to show. */
export const nothing = '–';

export function percent(band: number | undefined): string {
  return band === undefined ? nothing : `±${(band * 100).toFixed(1)} %`;
}

export function mebibytes(bytes: number | undefined): string {
  return bytes === undefined || Number.isNaN(bytes) ? nothing : (bytes / (1 << 20)).toFixed(1);
}

/** `1,234,567` */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Three digits, or all of the integer part. */
export function shortNumber(value: number): string {
  return value >= 1000 ? grouped(value) : value.toFixed(value >= 100 ? 0 : 1);
}

/** Wall time of a process. */
export function milliseconds(ms: number | undefined): string {
  return ms === undefined ? nothing : ms.toFixed(ms < 100 ? 1 : 0);
}

/** Each value once, in order of first appearance. */
export function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
