import { encodeJson } from '@linewire/framing';
import { isObject } from '../../json-object.ts';
import { isImplementation, unsupportedVersion } from '../../wire/envelope.ts';
import { NO_LOG_MESSAGES } from '../../wire/log-levels.ts';
import {
  type Implementation,
  legacyVersions,
  modernVersions,
  newestLegacyVersion,
} from '../../wire/versions.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import { serverMeta } from '../run/result-shape.ts';
import type { ChangeFeed } from '../subscriptions/change-feed.ts';
import type { DispatcherParts } from './dispatcher.ts';
import type { Incoming, Params } from './incoming.ts';
import { hintMembers } from './list-routes.ts';
import { invalidParams } from './refusals.ts';

/** How a client gets to know the server: `initialize` in one era, `server/discover` in the other. */
export class Handshake {
  private readonly catalog: Catalog;
  private readonly connection: ConnectionState;
  private readonly changes: ChangeFeed;
  private readonly rejectLegacy: boolean;

  constructor({ catalog, connection, changes, rejectLegacy }: DispatcherParts) {
    this.catalog = catalog;
    this.connection = connection;
    this.changes = changes;
    this.rejectLegacy = rejectLegacy;
  }

  /** Agrees on a revision and remembers the client. A later one replaces all that an earlier one set. */
  initialize({ idSource, params }: Incoming): void {
    const { catalog, connection } = this;
    const problem = problemOf(params);
    if (problem !== undefined) {
      connection.out.refuse(idSource, invalidParams(problem));
      return;
    }
    const { protocolVersion: asked, capabilities, clientInfo } = params as unknown as InitializeParams;
    if (this.rejectLegacy) {
      connection.out.refuse(idSource, unsupportedVersion(asked));
      return;
    }
    const protocolVersion = legacyVersions.includes(asked) ? asked : newestLegacyVersion;
    connection.legacyClient = { protocolVersion, capabilities, clientInfo };
    connection.logLevel = catalog.offersLogging ? 0 : NO_LOG_MESSAGES;
    this.changes.legacy.begin();
    connection.out.result(
      idSource,
      `{"protocolVersion":"${protocolVersion}","capabilities":${catalog.capabilitiesText},"serverInfo":${catalog.infoText}${this.instructionsText()}}`,
    );
  }

  discover({ idSource }: Incoming): void {
    const { catalog } = this;
    const versions = encodeJson(modernVersions);
    this.connection.out.result(
      idSource,
      `{"resultType":"complete","supportedVersions":${versions},"capabilities":${catalog.capabilitiesText},${hintMembers(catalog.cache)}${this.instructionsText()},${serverMeta(catalog.infoText)}}`,
    );
  }

  private instructionsText(): string {
    const { instructions } = this.catalog;
    return instructions === undefined ? '' : `,"instructions":${encodeJson(instructions)}`;
  }
}

interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: Record<string, unknown>;
  readonly clientInfo: Implementation;
}

function problemOf(params: Params): string | undefined {
  if (typeof params?.['protocolVersion'] !== 'string') return 'protocolVersion must be a string';
  if (!isObject(params['capabilities'])) return 'capabilities must be an object';
  if (!isImplementation(params['clientInfo']))
    return 'clientInfo must have a name and a version, both strings';
  return undefined;
}
