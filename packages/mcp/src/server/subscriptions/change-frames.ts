import { encodeJson } from '@linewire/framing';
import type { ListKind } from '../run/change-listener.ts';

/** @param meta - the member `_meta`, as text: of the subscription that is told */
export function listChangedFrame(kind: ListKind, meta?: string): string {
  const params = meta === undefined ? '' : `,"params":{${meta}}`;
  return `{"jsonrpc":"2.0","method":"notifications/${kind}/list_changed"${params}}`;
}

/** @param meta - as of `listChangedFrame` */
export function resourceUpdatedFrame(uri: string, meta?: string): string {
  const more = meta === undefined ? '' : `,${meta}`;
  return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":${encodeJson(uri)}${more}}}`;
}
