import { childCloseCase } from './child-close-case.ts';
import { childReadCase } from './child-read-case.ts';
import { transportGroup } from './transport-group.ts';
import { bandOf, type Measurements, onOwnNode, rowOf, type Verdict } from './verdict.ts';

/** Promises about child processes. */
export function childVerdicts(run: Measurements): Verdict[] {
  return [...readVerdict(run), ...closeVerdict(run)];
}

function readVerdict(run: Measurements): Verdict[] {
  return onOwnNode(
    run,
    `${childReadCase} ≥ 1.15 × the 'data' way, ours or by hand, whichever is faster`,
    (node) => {
      const ms = (side: string): number | undefined =>
        rowOf(run, node, transportGroup, childReadCase, side)?.median;
      const [onread, ours, bare] = [ms('onread'), ms("our 'data' way"), ms("bare stream's 'data'")];
      if (onread === undefined || ours === undefined || bare === undefined) return undefined;
      const ratio = Math.min(ours, bare) / onread;
      return {
        measured: `${ratio.toFixed(2)} × (ours ${(ours / onread).toFixed(2)} ×; by hand ${(bare / onread).toFixed(2)} ×)`,
        met: ratio >= 1.15,
        noise: bandOf(run.noise, transportGroup, childReadCase),
      };
    },
  );
}

function closeVerdict(run: Measurements): Verdict[] {
  return onOwnNode(run, `${childCloseCase} ≤ 50 ms beyond its own exit`, (node) => {
    const [ours, bare] = ['close()', 'its own exit'].map((side) =>
      rowOf(run, node, transportGroup, childCloseCase, side),
    );
    if (ours === undefined || bare === undefined) return undefined;
    const beyond = ours.median - bare.median;
    return {
      measured: `${beyond.toFixed(1)} ms (worst of all ${Math.max(...ours.samples).toFixed(0)} ms)`,
      met: beyond <= 50,
      noise: bandOf(run.noise, transportGroup, childCloseCase),
    };
  });
}
