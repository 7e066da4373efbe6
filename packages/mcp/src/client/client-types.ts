import type { ChildOptions, CloseReason } from '@linewire/transport';
import type { ToolAnnotations, ToolResult } from '../server/api/tool.ts';
import type { OutboundOptions } from '../session/outbound-types.ts';
import type { SessionReport } from '../session/session-report.ts';
import type { Implementation } from '../wire/versions.ts';

/** How a server is started and spoken to. */
export interface ConnectOptions extends Omit<ChildOptions, 'validate' | 'envelope'> {
  /** How the client introduces itself. Default: linewire and its version. */
  readonly clientInfo?: Implementation | undefined;
  /** Time for one answer in ms, 0 … 2^31−1, where a call does not say otherwise. Default 60,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Told of output of the server that could not be used, and of answers that nobody waits for. */
  readonly onReport?: ((report: SessionReport) => void) | undefined;
  /** Bytes of the server's stderr as they come; the receiver owns them. */
  readonly onStderr?: ((bytes: Uint8Array) => void) | undefined;
}

/** What every request takes. */
export type RequestOptions = Pick<OutboundOptions, 'signal' | 'timeoutMs'>;

export type CallOptions = Omit<OutboundOptions, 'problemOf'>;

/** A tool as a server describes it. */
export interface ToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
}

/** Counters of one client. */
export interface ClientStats {
  /** Requests sent. */
  requests: number;
  /** Answers that settled a call. */
  answers: number;
  /** Answers that nobody waited for, those after a cancel or a time-out among them. */
  unmatchedAnswers: number;
  /** Those among them whose call was answered or given up before. */
  lateAnswers: number;
  /** Frames that could not be read, noise on stdout among them. */
  faults: number;
  /** Frames that are JSON but no valid message. */
  invalid: number;
  /** Progress for no running call. */
  strayProgress: number;
}

/**
 * A connected server. A promise of its methods rejects with `McpError` (time-out, cancel, dead server, unusable
 * answer) or `PeerError` (the server answered with an error); one that nobody awaits does not end the process.
 */
export interface McpClient {
  readonly serverInfo: Implementation;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
  /** Process id of the server. */
  readonly pid: number | undefined;
  readonly stats: Readonly<ClientStats>;
  /** Settles when the server has ended. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /** All tools, page after page. */
  listTools(options?: RequestOptions): Promise<ToolInfo[]>;
  /** @param args - the arguments object; default none. */
  callTool(name: string, args?: object, options?: CallOptions): Promise<ToolResult>;
  ping(options?: RequestOptions): Promise<void>;
  /** Rejects what is pending (`PEER_CLOSED`) and ends the server: end of input, then SIGTERM, then SIGKILL. Idempotent. */
  close(): Promise<CloseReason>;
}
