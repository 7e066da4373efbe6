import { isFramingError } from '@linewire/framing';
import { McpError } from '../../errors.ts';
import type { InputMethod, InputResults, RequestInput } from '../api/input.ts';
import type { Call } from '../run/call.ts';
import type { CallInputs } from '../run/call-inputs.ts';
import type { AskClient } from '../run/connection-state.ts';
import { readAnswer } from './answer.ts';
import { readAsk } from './ask.ts';
import { capabilityMissing, keyUsedTwice, notJson, tooLate } from './ask-errors.ts';
import { legacyParams } from './legacy-params.ts';
import { missingFor } from './needed-capabilities.ts';

/** The asks of one legacy call: each is a request to the client, and ends with the call. */
export class LegacyInputs implements CallInputs {
  private readonly call: Call;
  private readonly askClient: AskClient;
  private readonly used: Set<string> = new Set();
  private waiting = 0;
  private readonly end: AbortController = new AbortController();

  constructor(askClient: AskClient, call: Call) {
    this.askClient = askClient;
    this.call = call;
    const { signal } = call;
    // Each ask that waits listens, and Node takes eleven listeners for a leak.
    process.getBuiltinModule('node:events').setMaxListeners(0, this.end.signal);
    signal.addEventListener('abort', () => this.end.abort(signal.reason), { once: true });
  }

  readonly ask: RequestInput = async <Method extends InputMethod>(key: string, request: unknown) => {
    if (!this.call.live) throw tooLate();
    const ask = readAsk(key, request);
    if (this.used.has(key)) throw keyUsedTwice(key);
    this.used.add(key);
    const { clientCapabilities, protocolVersion } = this.call;
    const missing = missingFor(ask, protocolVersion, clientCapabilities);
    if (missing !== undefined) throw capabilityMissing(key, missing);
    const params = legacyParams(ask, protocolVersion);
    this.waiting++;
    let value: unknown;
    try {
      value = await this.askClient(ask.method, params, this.end.signal);
    } catch (error) {
      throw isFramingError(error) ? notJson(key, error) : error;
    } finally {
      this.waiting--;
    }
    const { result, problem } = readAnswer(ask, value);
    if (result === undefined) {
      throw new McpError('INVALID_RESPONSE', `The client's answer to ${ask.method} ${problem}`);
    }
    return result as InputResults[Method];
  };

  /** Nobody waits for what is still open: the client is told, and may close its dialog. */
  settled(): boolean {
    if (this.waiting > 0) this.end.abort(tooLate());
    return false;
  }
}
