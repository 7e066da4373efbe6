import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRuntimes, ownRuntime } from '../src/runtimes.ts';

const ownMajor = Number.parseInt(process.versions.node, 10);
/** A promised Node that is not the one that runs the tests. */
const other = ownMajor === 26 ? 20 : 26;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire runtimes '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A package that looks like those on npm, whose binary says whatever it is told to. */
function install(version: string): string {
  const packageFolder = join(folder, 'node_modules', `node-${other}`);
  mkdirSync(join(packageFolder, 'bin'), { recursive: true });
  writeFileSync(join(packageFolder, 'package.json'), JSON.stringify({ bin: { node: 'bin/node' } }));
  const command = join(packageFolder, 'bin', 'node');
  writeFileSync(command, `#!/bin/sh\necho v${version}\n`);
  chmodSync(command, 0o755);
  return command;
}

const found = () => findRuntimes(join(folder, 'main.js'));
const missingOther = () => found().missing.find(({ name }) => name === `Node ${other}`);

describe('the Nodes of a run', () => {
  it('are the own one first, then the promised ones that are installed', () => {
    const command = install(`${other}.1.2`);
    expect(found().runtimes).toEqual([
      ownRuntime,
      { name: `Node ${other}`, version: `${other}.1.2`, command },
    ]);
    expect(missingOther()).toBeUndefined();
  });

  it('are told apart from those that are not there, with the reason', () => {
    expect(found().runtimes).toEqual([ownRuntime]);
    expect(missingOther()?.reason).toBe(`package node-${other} is not installed`);
  });

  it('are what their binary says, not what their package is called', () => {
    install('18.0.0');
    expect(missingOther()?.reason).toBe(`package node-${other} holds Node 18.0.0`);
  });

  it('are missing when they do not start', () => {
    chmodSync(install(`${other}.0.0`), 0o644);
    expect(missingOther()?.reason).toMatch(/^it does not start: .*EACCES/);
  });
});
