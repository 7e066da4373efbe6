import { McpError } from '../../errors.ts';
import { limitValue } from '../../limits.ts';
import type { StateOptions } from '../api/state-options.ts';
import { writeCanonicalJson } from './canonical-json.ts';

type Crypto = typeof import('node:crypto');

/** First byte of every token. Another layout, or another meaning of what is sealed, gets another number. */
const FORMAT = 1;
const KEY_NAME_BYTES = 4;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_NAME_BYTES + SALT_BYTES;

/** A secret must have as many bytes: what is shorter can be guessed. */
const MIN_SECRET_BYTES = 32;

const CIPHER = 'aes-256-gcm';

/** What a state belongs to; it opens for nothing else. */
export interface StateOwner {
  readonly method: string;
  /** Params of the request as they were decoded. `_meta`, `inputResponses` and `requestState` do not count. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Kept by the seal: once it is made, nothing that happens to the params counts. */
  digest?: Uint8Array | undefined;
}

interface SealKey {
  readonly secret: Uint8Array;
  /** Tells the keys of one server apart. Says nothing about the secret. */
  readonly name: Uint8Array;
}

/**
 * Seals what a server wants back from a client, so that the client can neither read nor change it, nor use it for another request or after
 * its time. Stateless: any process with the same keys opens it, and it opens as often as it comes until it expires.
 *
 * A token is base64url of: format, name of the key, salt, AES-256-GCM ciphertext, tag. Key and nonce of each token are derived from the
 * secret and the token's own 128 random bits, so a secret may seal without end. Format, method and the canonical JSON of the params are
 * authenticated with it.
 *
 * node:crypto is loaded and keys are derived at first use.
 */
export class StateSeal {
  private readonly secrets: readonly Uint8Array[] | undefined;
  private readonly ttlMs: number;
  private readonly maxTokenBytes: number;
  private readonly now: () => number;
  private crypto: Crypto | undefined = undefined;
  private keys: readonly SealKey[] = [];

  /**
   * @param now - ms since 1970; the clock of the wall, which other processes with the same keys share.
   * @throws McpError `OPTION_INVALID` for keys that are none, and limits out of range.
   */
  constructor({ stateKeys, stateTtlMs, maxStateBytes }: StateOptions, now: () => number = Date.now) {
    this.secrets = stateKeys === undefined ? undefined : readSecrets(stateKeys);
    this.ttlMs = limitValue('stateTtlMs', stateTtlMs);
    this.maxTokenBytes = limitValue('maxStateBytes', maxStateBytes);
    this.now = now;
  }

  /**
   * Takes down what the owner's params are now.
   *
   * @throws RangeError for params that contain themselves.
   */
  bind(owner: StateOwner): void {
    binding(this.ready().crypto, owner);
  }

  /**
   * The token for `state`, a JSON text.
   *
   * @throws McpError `STATE_TOO_LARGE` if it is longer than `maxStateBytes`.
   */
  seal(state: string, owner: StateOwner): string {
    const { crypto, keys } = this.ready();
    const plain = Buffer.from(`${this.now() + this.ttlMs} ${state}`);
    const size = Math.ceil(((HEAD_BYTES + plain.length + TAG_BYTES) * 4) / 3);
    if (size > this.maxTokenBytes) {
      throw new McpError(
        'STATE_TOO_LARGE',
        `The answers of earlier rounds take ${size} bytes of requestState, the limit maxStateBytes is ${this.maxTokenBytes}`,
        { limit: this.maxTokenBytes, actual: size },
      );
    }
    const { secret, name } = keys[0] as SealKey;
    const head = Buffer.concat([Uint8Array.of(FORMAT), name, crypto.randomBytes(SALT_BYTES)]);
    const { key, nonce } = tokenKey(crypto, secret, head);
    const cipher = crypto.createCipheriv(CIPHER, key, nonce);
    cipher.setAAD(binding(crypto, owner));
    const sealed = Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString('base64url');
  }

  /** The text that was sealed; `undefined` for everything else, and nothing tells why. Does not throw. */
  open(token: unknown, owner: StateOwner): string | undefined {
    if (typeof token !== 'string' || token.length > this.maxTokenBytes) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    // The decoder overlooks what is not base64url, and unused bits at the end: one state would have many tokens.
    if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes.toString('base64url') !== token) return undefined;
    if (bytes[0] !== FORMAT) return undefined;
    const { crypto, keys } = this.ready();
    const head = bytes.subarray(0, HEAD_BYTES);
    const name = head.subarray(1, 1 + KEY_NAME_BYTES);
    const found = keys.find((key) => name.equals(key.name));
    if (found === undefined) return undefined;
    try {
      const { key, nonce } = tokenKey(crypto, found.secret, head);
      const decipher = crypto.createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(binding(crypto, owner));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const plain = Buffer.concat([
        decipher.update(bytes.subarray(HEAD_BYTES, bytes.length - TAG_BYTES)),
        decipher.final(),
      ]).toString();
      const space = plain.indexOf(' ');
      return Number(plain.slice(0, space)) > this.now() ? plain.slice(space + 1) : undefined;
    } catch {
      return undefined;
    }
  }

  private ready(): { crypto: Crypto; keys: readonly SealKey[] } {
    let { crypto } = this;
    if (crypto === undefined) {
      crypto = process.getBuiltinModule('node:crypto');
      const secrets = this.secrets ?? [crypto.randomBytes(KEY_BYTES)];
      this.keys = secrets.map((given) => sealKey(crypto as Crypto, given));
      this.crypto = crypto;
    }
    return { crypto, keys: this.keys };
  }
}

function readSecrets(given: readonly (string | Uint8Array)[]): readonly Uint8Array[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw new McpError('OPTION_INVALID', 'stateKeys must be a list of at least one key');
  }
  return given.map((key: unknown, at) => {
    if (typeof key !== 'string' && !(key instanceof Uint8Array)) {
      throw new McpError('OPTION_INVALID', `stateKeys[${at}] must be a string or bytes`);
    }
    // A copy: the caller may wipe its own.
    const secret = typeof key === 'string' ? new TextEncoder().encode(key) : Uint8Array.from(key);
    if (secret.length < MIN_SECRET_BYTES) {
      throw new McpError(
        'OPTION_INVALID',
        `stateKeys[${at}] has ${secret.length} bytes, ${MIN_SECRET_BYTES} are needed: take random ones`,
      );
    }
    return secret;
  });
}

function sealKey(crypto: Crypto, given: Uint8Array): SealKey {
  const bytes = new Uint8Array(
    crypto.hkdfSync('sha256', given, '', 'linewire requestState key', KEY_BYTES + KEY_NAME_BYTES),
  );
  return { secret: bytes.subarray(0, KEY_BYTES), name: bytes.subarray(KEY_BYTES) };
}

/** Key and nonce of the one token that has this head. */
function tokenKey(
  crypto: Crypto,
  secret: Uint8Array,
  head: Uint8Array,
): { key: Uint8Array; nonce: Uint8Array } {
  const bytes = new Uint8Array(
    crypto.hkdfSync('sha256', secret, head, 'linewire requestState token', KEY_BYTES + NONCE_BYTES),
  );
  return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
}

/** SHA-256 of what the state belongs to. Name or URI of the target is a member of the params. */
function binding(crypto: Crypto, owner: StateOwner): Uint8Array {
  if (owner.digest !== undefined) return owner.digest;
  const { method, params } = owner;
  const hash = crypto.createHash('sha256');
  const { _meta, inputResponses, requestState, ...own } = params;
  writeCanonicalJson([FORMAT, method, own], (piece) => hash.update(piece));
  owner.digest = hash.digest();
  return owner.digest;
}
