/** What the kernel exports: see `kernel/index.ts`. Positions count from the window's first byte. */
export interface Kernel {
  place(captured: number, kept: number, containers: number): void;
  configure(
    flags: number,
    maxFrameBytes: number,
    maxDepth: number,
    maxIdBytes: number,
    maxIdSpelling: number,
    waitBytes: number,
  ): void;
  enter(at: number): void;
  scanTo(end: number): number;
  finish(end: number): number;
  spill(): void;
  leap(start: number, end: number): number;
  position(): number;
  frameStart(): number;
  hasSpilled(): number;
  blankFrames(): number;
  longFrameBytes(): number;
  keptBytes(): number;
  openContainerBytes(): number;
}
