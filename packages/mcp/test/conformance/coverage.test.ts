import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Check } from './check.ts';
import { requirements } from './requirements.ts';
import { waiting } from './waiting.ts';

// Reads the checks themselves, not their sources: what is counted here is what the other files of this folder run.

const folder = new URL('./checks/', import.meta.url);
const checks: Check[] = [];
for (const name of readdirSync(folder)) {
  const file = (await import(new URL(name, folder).href)) as { checks: readonly Check[] };
  checks.push(...file.checks);
}

function waitingByReason(): Map<string, string[]> {
  const byReason = new Map<string, string[]>();
  for (const [title, reason] of Object.entries(waiting)) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), title]);
  }
  return byReason;
}

describe('the requirements', () => {
  it('are all cited by a check', () => {
    const cited = new Set<string>(checks.flatMap(({ rules }) => rules));
    expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([]);
  });

  it('are what is cited', () => {
    const unknown = checks.flatMap(({ title, rules }) =>
      rules.filter((id) => !(id in requirements)).map((id) => `${title}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are each one sentence', () => {
    for (const { rule } of Object.values(requirements)) {
      expect(rule).toMatch(/\.$/);
      expect(rule).not.toMatch(/\. /);
    }
  });
});

describe('the checks', () => {
  it('have titles of their own', () => {
    const titles = checks.map(({ title }) => title);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });

  it('that wait are checks', () => {
    const titles = new Set(checks.map(({ title }) => title));
    expect(Object.keys(waiting).filter((title) => !titles.has(title))).toEqual([]);
    for (const [reason, titles] of waitingByReason()) {
      process.stderr.write(`\nWAITING for ${reason}: ${titles.join(', ')}\n`);
    }
  });
});
