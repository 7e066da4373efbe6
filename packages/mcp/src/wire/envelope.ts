import { isObject } from '../json-object.ts';
import { logRank } from './log-levels.ts';
import { type RpcRefusal, rpcCodes } from './rpc-codes.ts';
import { metaKeys, modernVersions } from './versions.ts';

/** The `_meta` of a modern request: it has at least the version key. */
export type Envelope = Readonly<Record<string, unknown>>;

/** A request claims to be modern by having the version key, whatever its value. */
export function claimsModern(meta: object): meta is Envelope {
  return Object.hasOwn(meta, metaKeys.protocolVersion);
}

/**
 * Judges the envelope of one request, on every request: nothing is remembered from earlier ones. The version
 * comes before the other keys, so that a later revision with other keys still gets the answer that helps it.
 */
export function checkEnvelope(meta: Envelope): RpcRefusal | undefined {
  const version = meta[metaKeys.protocolVersion];
  if (typeof version !== 'string') return envelopeProblem(metaKeys.protocolVersion, 'must be a string');
  if (!modernVersions.includes(version)) return unsupportedVersion(version);

  const capabilities = meta[metaKeys.clientCapabilities];
  if (capabilities === undefined) return envelopeProblem(metaKeys.clientCapabilities, 'missing');
  if (!isObject(capabilities)) return envelopeProblem(metaKeys.clientCapabilities, 'must be an object');
  const info = meta[metaKeys.clientInfo];
  if (info !== undefined && !isImplementation(info)) {
    return envelopeProblem(metaKeys.clientInfo, 'must have a name and a version, both strings');
  }
  const level = meta[metaKeys.logLevel];
  if (level !== undefined && logRank(level) < 0)
    return envelopeProblem(metaKeys.logLevel, 'must be a log level');
  return undefined;
}

/** The answer to a version that is not spoken here, from an envelope or (modern-only servers) from `initialize`. */
export function unsupportedVersion(requested: string): RpcRefusal {
  return {
    code: rpcCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${requested}`,
    data: { supported: modernVersions, requested },
  };
}

/** True for an object with the two strings that the protocol asks of a program that introduces itself. */
export function isImplementation(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

function envelopeProblem(key: string, problem: string): RpcRefusal {
  return {
    code: rpcCodes.invalidParams,
    message: `Invalid params: _meta ${key}: ${problem}`,
    data: { envelope: { key, problem } },
  };
}
