/** `close()`, and how long the child itself takes from the end of its stdin to its exit. */
export const childCloseSides = ['close()', 'its own exit'] as const;
export type ChildCloseSide = (typeof childCloseSides)[number];

/** How the stdout of a child gets into the frame reader. */
export const childReadSides = ['onread', "our 'data' way", "bare stream's 'data'"] as const;
export type ChildReadSide = (typeof childReadSides)[number];
