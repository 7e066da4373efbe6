import { isObject } from '../../json-object.ts';
import type { ListKind } from '../run/change-listener.ts';

/** The member of a filter that asks for a list's changes. */
export const filterMembers: Readonly<Record<ListKind, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};

/** What one `subscriptions/listen` asks for. */
export interface Filter {
  readonly kinds: ReadonlySet<ListKind>;
  readonly uris: ReadonlySet<string>;
}

/** The filter in `params.notifications`, or what is wrong with it. Members that are not known are passed over. */
export function filterOf(notifications: unknown): Filter | string {
  if (!isObject(notifications)) return 'notifications must be an object';
  const kinds = new Set<ListKind>();
  for (const kind of Object.keys(filterMembers) as ListKind[]) {
    const asked = notifications[filterMembers[kind]];
    if (asked !== undefined && typeof asked !== 'boolean')
      return `notifications.${filterMembers[kind]} must be a boolean`;
    if (asked === true) kinds.add(kind);
  }
  const uris = notifications['resourceSubscriptions'] ?? [];
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string'))
    return 'notifications.resourceSubscriptions must be a list of strings';
  return { kinds, uris: new Set(uris as string[]) };
}
