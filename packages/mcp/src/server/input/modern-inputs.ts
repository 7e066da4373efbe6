import { encodeJson } from '@linewire/framing';
import { McpError } from '../../errors.ts';
import { rpcCodes } from '../../wire/rpc-codes.ts';
import type { InputMethod, InputResults, RequestInput } from '../api/input.ts';
import type { Call } from '../run/call.ts';
import type { CallInputs } from '../run/call-inputs.ts';
import { messageOf } from '../run/message-of.ts';
import type { ReplyWriter } from '../run/reply-writer.ts';
import { serverMeta } from '../run/result-shape.ts';
import { readAnswer } from './answer.ts';
import { type Ask, readAsk } from './ask.ts';
import { capabilityMissing, keyUsedTwice, notJson, tooLate } from './ask-errors.ts';
import { addMissing, missingFor, type NeededCapabilities } from './needed-capabilities.ts';
import { type AnswerTexts, sealRound } from './round-state.ts';
import type { StateOwner, StateSeal } from './state-seal.ts';

/** What all modern calls of a connection share. */
export interface ModernRounds {
  readonly out: ReplyWriter;
  readonly seal: StateSeal;
  readonly infoText: string;
}

/**
 * The asks of one modern call: answered from what the client has sent, else noted, and sent as the call's answer when the handler has
 * settled. What the handler made of the rejections does not count: in the legacy era it would not have seen any.
 */
export class ModernInputs implements CallInputs {
  private readonly call: Call;
  private readonly owner: StateOwner;
  private readonly rounds: ModernRounds;
  private readonly answers: AnswerTexts;
  private readonly used: Set<string> = new Set();
  /** Requests to be sent, encoded, by key. */
  private readonly asked: Map<string, string> = new Map();
  private missing: NeededCapabilities | undefined = undefined;

  constructor(rounds: ModernRounds, call: Call, owner: StateOwner, answers: AnswerTexts) {
    this.rounds = rounds;
    this.call = call;
    this.owner = owner;
    this.answers = answers;
  }

  readonly ask: RequestInput = async <Method extends InputMethod>(key: string, request: unknown) => {
    if (!this.call.live) throw tooLate();
    const ask = readAsk(key, request);
    if (this.used.has(key)) throw keyUsedTwice(key);
    this.used.add(key);
    const answerText = this.answers.get(key);
    if (answerText !== undefined) {
      const { result } = readAnswer(ask, JSON.parse(answerText));
      if (result !== undefined) return result as InputResults[Method];
      this.answers.delete(key);
    }
    const { clientCapabilities, protocolVersion } = this.call;
    const missing = missingFor(ask, protocolVersion, clientCapabilities);
    if (missing !== undefined) {
      this.missing ??= {};
      addMissing(this.missing, missing);
      throw capabilityMissing(key, missing);
    }
    const requestText = encodeRequest(ask);
    // Not when the handler has settled: it may change its arguments until then.
    this.rounds.seal.bind(this.owner);
    this.asked.set(key, requestText);
    throw new McpError(
      'INPUT_REQUIRED',
      `The client is asked for ${JSON.stringify(key)}; let this rejection pass`,
    );
  };

  settled(): boolean {
    const { asked, missing } = this;
    const { out } = this.rounds;
    const { idSource } = this.call;
    if (missing !== undefined) {
      out.refuse(idSource, {
        code: rpcCodes.missingClientCapability,
        message: 'Missing required client capability',
        data: { requiredCapabilities: missing },
      });
    } else if (asked.size > 0) {
      this.sendRound();
    } else return false;
    return true;
  }

  private sendRound(): void {
    const { out, seal, infoText } = this.rounds;
    const { idSource } = this.call;
    let state: string;
    try {
      state = sealRound(seal, this.owner, this.asked.keys(), this.answers);
    } catch (error) {
      out.refuse(idSource, { code: rpcCodes.internalError, message: messageOf(error) });
      return;
    }
    const requests = [...this.asked].map(([key, text]) => `${encodeJson(key)}:${text}`).join(',');
    out.result(
      idSource,
      `{"resultType":"input_required","inputRequests":{${requests}},"requestState":"${state}",${serverMeta(infoText)}}`,
    );
  }
}

function encodeRequest({ key, method, params }: Ask): string {
  // Only 2025-11-25 knows it.
  const { elicitationId, ...known } = params;
  try {
    return encodeJson(
      method === 'roots/list' && Object.keys(params).length === 0 ? { method } : { method, params: known },
    );
  } catch (error) {
    throw notJson(key, error);
  }
}
