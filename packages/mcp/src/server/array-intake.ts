import type { FrameBatch, IdKey } from '@linewire/framing';
import type { Duplex } from '@linewire/transport';
import { flagValue, limitValue } from '../limits.ts';
import type { SessionReport } from '../session/session-report.ts';
import type { RpcRefusal } from '../wire/rpc-codes.ts';
import type { Admission } from './admission.ts';
import { Batches, type BatchHost } from './batch/batches.ts';
import type { FrameIntake } from './frame-intake.ts';
import type { ConnectionState } from './run/connection-state.ts';
import type { ServeOptions } from './serve-options.ts';

/** The one revision that has batches. */
const BATCH_REVISION = '2025-03-26';

/** What members of batches need of their session. */
interface ArrayParts {
  readonly duplex: Duplex;
  readonly connection: ConnectionState;
  readonly admission: Admission;
  readonly report: (report: SessionReport) => void;
  readonly intake: () => FrameIntake;
}

/** Arrays from the client: refused, unless the option is on and the client's revision has them. What reads them is made by the first one. */
export class ArrayIntake {
  private readonly parts: ArrayParts;
  private readonly options: ServeOptions;
  private readonly isOn: boolean;
  private batches: Batches | undefined = undefined;

  /** @throws McpError `OPTION_INVALID` */
  constructor(parts: ArrayParts, options: ServeOptions) {
    this.parts = parts;
    this.options = options;
    this.isOn = flagValue('batches', options.batches);
    limitValue('maxBatchMessages', options.maxBatchMessages);
    limitValue('maxBatchAnswerBytes', options.maxBatchAnswerBytes);
  }

  /** Calls that wait for credit. */
  get waitingCount(): number {
    return this.batches?.count ?? 0;
  }

  /** Batches that are not answered. */
  get openCount(): number {
    return this.batches?.openCount ?? 0;
  }

  /** An array has come. False: it is not taken now, and reading is paused. Throws what decoding throws at what is no JSON. */
  take(batch: FrameBatch, index: number): boolean {
    const { connection, admission, duplex, report } = this.parts;
    if (!this.isOn || connection.legacyClient?.protocolVersion !== BATCH_REVISION) {
      connection.counters.batches++;
      report({
        code: 'BATCH_REFUSED',
        message: 'an array is no message here',
        offset: batch.start(index),
      });
      return true;
    }
    if (admission.isOver) return true;
    if (this.batches === undefined) {
      this.batches = new Batches(this.host(), this.options);
      admission.members = this.batches;
    } else if (this.batches.isFull) {
      duplex.pause();
      return false;
    }
    connection.counters.batches++;
    this.batches.take(batch, index);
    return true;
  }

  has(key: IdKey): boolean {
    return this.batches?.has(key) === true;
  }

  drop(key: IdKey): boolean {
    return this.batches?.drop(key) === true;
  }

  cancelled(key: IdKey): void {
    this.batches?.cancelled(key);
  }

  refuseAll(refusal: RpcRefusal): void {
    this.batches?.refuseAll(refusal);
  }

  private host(): BatchHost {
    const { connection, admission, duplex, report, intake } = this.parts;
    const { out, counters } = connection;
    return {
      out,
      counters,
      report,
      mayRun: () => admission.mayRun,
      hold: () => admission.hold(),
      ran: () => admission.ranMember(),
      hasRoom: () => duplex.resume(),
      isInFlight: (key) => intake().isInFlight(key),
      dispatch: (members, index, idSource, params) => intake().dispatch(members, index, idSource, params),
      notification: (members, index) => intake().notification(members, index),
      answer: (members, index) => intake().answer(members, index),
    };
  }
}
