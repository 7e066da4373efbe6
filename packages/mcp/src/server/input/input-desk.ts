import { McpError } from '../../errors.ts';
import { isObject } from '../../json-object.ts';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';
import type { Call } from '../run/call.ts';
import type { CallInputs, InputDesk } from '../run/call-inputs.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import { LegacyInputs } from './legacy-inputs.ts';
import { ModernInputs, type ModernRounds } from './modern-inputs.ts';
import { openRound } from './round-state.ts';
import type { StateOwner, StateSeal } from './state-seal.ts';

const BAD_RESPONSES: RpcRefusal = {
  code: rpcCodes.invalidParams,
  message: 'Invalid params: inputResponses must be an object',
};

/** The same for everything that is wrong with a state. */
const BAD_STATE: RpcRefusal = {
  code: rpcCodes.invalidParams,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};

/** Of handlers that must answer themselves, like completions: no client expects to be asked then. */
const REFUSING: CallInputs = {
  ask: () =>
    Promise.reject(
      new McpError('OPTION_INVALID', 'Only tools/call, prompts/get and resources/read may ask for input'),
    ),
  settled: () => false,
};

/** Opens the asks of a connection's calls, by the means of each call's era. */
export class EraInputDesk implements InputDesk {
  private readonly connection: ConnectionState;
  private readonly rounds: ModernRounds;

  constructor(connection: ConnectionState, seal: StateSeal, infoText: string) {
    this.connection = connection;
    this.rounds = { out: connection.out, seal, infoText };
  }

  open(call: Call): CallInputs {
    if (call.answers.method === undefined || (call.modern && call.params === undefined)) {
      return REFUSING;
    }
    if (call.modern) return new ModernInputs(this.rounds, call, ownerOf(call), new Map());
    return new LegacyInputs(this.connection.askClient, call);
  }

  resume(call: Call): boolean {
    const owner = ownerOf(call);
    const { inputResponses = {}, requestState } = owner.params;
    const { out } = this.connection;
    if (!isObject(inputResponses)) {
      out.refuse(call.idSource, BAD_RESPONSES);
      return false;
    }
    const answers = openRound(this.rounds.seal, owner, requestState, inputResponses);
    if (answers === undefined) {
      out.refuse(call.idSource, BAD_STATE);
      return false;
    }
    call.inputs = new ModernInputs(this.rounds, call, owner, answers);
    return true;
  }
}

function ownerOf({ answers, params }: Call): StateOwner {
  return { method: answers.method ?? '', params: params ?? {} };
}
