/** Where a source puts what it reads. */
export interface Intake {
  /** Free part of the reader's window; length 0 when there is none. Only for reads that land synchronously. */
  room(): Uint8Array;
  /** Bytes have landed in the last `room()`. False: stop reading until `resume()`. */
  landed(byteCount: number): boolean;
  /** Bytes that landed elsewhere; they are copied. False: stop reading until `resume()`. */
  chunk(bytes: Uint8Array): boolean;
  /** The peer will send nothing more. */
  ended(): void;
  failed(error: Error): void;
}

/** Reads one descriptor into an intake. It stops by itself when the intake says false, so there is no pause. */
export interface Source {
  start(intake: Intake): void;
  /** Goes on after the intake had said false. Never called from inside an intake call. */
  resume(): void;
  /** Ends reading and lets go of everything; nothing comes after. */
  stop(): void;
}
