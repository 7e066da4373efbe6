/** Checks, by title, of what is not built yet, and what they wait for. Each must fail: one that passes belongs off the list. */
export const waiting: Readonly<Record<string, string>> = {};
