import { bareLoopPath, peerPath, serverBin } from './paths.ts';

/** A command that stands where X stands in `cat FILE | X`. */
export interface ProcessSide {
  readonly name: string;
  readonly command: readonly string[];
  /** How its answers are checked; `none` for commands that answer nothing. */
  readonly check: 'value' | 'outcome' | 'none';
}

const node = process.execPath;

export const cat: ProcessSide = { name: 'cat', command: ['cat'], check: 'none' };
export const emptyNode: ProcessSide = { name: 'node -e 0', command: [node, '-e', '0'], check: 'none' };
export const bareLoop: ProcessSide = { name: 'bare loop', command: [node, bareLoopPath], check: 'value' };
export const linewire: ProcessSide = { name: 'linewire-server', command: [node, serverBin], check: 'value' };
/** Peers word their errors themselves, so their answers are checked by outcome. */
export const peers: readonly ProcessSide[] = [
  { name: 'SDK v1', command: [node, peerPath('sdk-v1')], check: 'outcome' },
  { name: 'SDK v2', command: [node, peerPath('sdk-v2')], check: 'outcome' },
  { name: 'tmcp', command: [node, peerPath('tmcp')], check: 'outcome' },
];
