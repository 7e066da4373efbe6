import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { McpServer } from '../../../src/server/mcp-server.ts';
import type { ListKind } from '../../../src/server/run/change-listener.ts';
import { serve } from '../../../src/server/server-session.ts';
import { feedEach, line } from '../../support/era-requests.ts';
import { INITIALIZE, info } from '../../support/example-server.ts';
import { type Frame, Wire } from '../../support/wire.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const flags = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

const kinds: readonly ListKind[] = ['tools', 'prompts', 'resources'];
const uris = ['mem://a', 'mem://b', 'mem://n/1'];
/** 1 and "1" are two ids. */
const ids: readonly (number | string)[] = [1, '1', 0, '', 'x'];

const filter = fc.record({
  kinds: fc.uniqueArray(fc.constantFrom(...kinds)),
  uris: fc.uniqueArray(fc.constantFrom(...uris)),
});
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('listen' as const), id: fc.constantFrom(...ids), filter }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), id: fc.constantFrom(...ids) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('change' as const), kind: fc.constantFrom(...kinds) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('update' as const), uri: fc.constantFrom(...uris) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fill' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drain' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('initialize' as const) }) },
);

/** What a client should have been told, as one text for each notice. */
class Model {
  readonly open: Map<number | string, { kinds: readonly ListKind[]; uris: readonly string[] }> = new Map();
  full = false;
  legacy = false;
  /** What waits while the client does not read; a set, since the last of its kind stands for all. */
  waiting: Set<string> = new Set();

  private readonly offered: readonly ListKind[];

  constructor(offered: readonly ListKind[]) {
    this.offered = offered;
  }

  honoured(asked: { kinds: readonly ListKind[]; uris: readonly string[] }) {
    const hasResources = this.offered.includes('resources');
    return {
      kinds: asked.kinds.filter((kind) => this.offered.includes(kind)),
      uris: hasResources ? asked.uris : [],
    };
  }

  notices(thing: { kind?: ListKind; uri?: string }): string[] {
    const told: string[] = [];
    if (this.legacy && thing.kind !== undefined && this.offered.includes(thing.kind))
      told.push(notice('legacy', thing));
    for (const [id, { kinds: accepted, uris: subscribed }] of this.open) {
      const fits =
        thing.kind === undefined ? subscribed.includes(thing.uri as string) : accepted.includes(thing.kind);
      if (fits) told.push(notice(JSON.stringify(id), thing));
    }
    return told;
  }

  cancel(id: number | string): void {
    this.open.delete(id);
    for (const waits of this.waiting)
      if (waits.startsWith(`${JSON.stringify(id)} `)) this.waiting.delete(waits);
  }
}

function notice(receiver: string, { kind, uri }: { kind?: ListKind; uri?: string }): string {
  return `${receiver} ${kind ?? uri}`;
}

function read(frame: Frame): string {
  const id = frame.params?._meta?.[SUBSCRIPTION];
  const receiver = id === undefined ? 'legacy' : JSON.stringify(id);
  if (frame.method === 'notifications/resources/updated') return notice(receiver, { uri: frame.params.uri });
  const kind = /^notifications\/(\w+)\/list_changed$/.exec(frame.method)?.[1];
  if (kind === undefined) throw new Error(`nobody asked for ${JSON.stringify(frame)}`);
  return notice(receiver, { kind: kind as ListKind });
}

describe('whatever a client subscribes to and gives up, however slowly it reads', () => {
  it('it is told of each change once per subscription that named it, and of nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...kinds)),
        fc.array(step, { maxLength: 40 }),
        async (offered, steps) => {
          const server = new McpServer(info, { offers: offered });
          const wire = new Wire();
          const session = serve(server, wire);
          const model = new Model(offered);
          for (const [count, one] of steps.entries()) {
            let told: string[] = [];
            switch (one.do) {
              case 'listen': {
                // Waits for its turn while the client does not read.
                if (model.full) break;
                feedEach(
                  wire,
                  line('modern', one.id, 'subscriptions/listen', {
                    notifications: {
                      ...Object.fromEntries(one.filter.kinds.map((kind) => [flags[kind], true])),
                      resourceSubscriptions: one.filter.uris,
                    },
                  }),
                );
                const [first, ...more] = wire.take();
                expect(more).toEqual([]);
                if (model.open.has(one.id)) expect(first.error.code).toBe(-32600);
                else {
                  model.open.set(one.id, model.honoured(one.filter));
                  expect(first.method).toBe('notifications/subscriptions/acknowledged');
                  expect(first.params._meta[SUBSCRIPTION]).toBe(one.id);
                  const { kinds: accepted, uris: subscribed } = model.honoured(one.filter);
                  expect(first.params.notifications).toEqual({
                    ...Object.fromEntries(accepted.map((kind) => [flags[kind], true])),
                    ...(subscribed.length === 0 ? {} : { resourceSubscriptions: subscribed }),
                  });
                }
                break;
              }
              case 'cancel':
                feedEach(
                  wire,
                  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${JSON.stringify(one.id)}}}`,
                );
                model.cancel(one.id);
                break;
              case 'change':
                // A kind that is not offered would become so by its first item.
                if (!offered.includes(one.kind)) break;
                told = model.notices({ kind: one.kind });
                if (one.kind === 'tools') server.registerTool(`t${count}`, {}, () => '');
                else if (one.kind === 'prompts') server.registerPrompt(`p${count}`, {}, () => '');
                else server.registerResource(`r${count}`, `r:${count}`, {}, () => '');
                await Promise.resolve();
                break;
              case 'update':
                told = model.notices({ uri: one.uri });
                server.resourceUpdated(one.uri);
                break;
              case 'fill':
                wire.isFull = true;
                model.full = true;
                break;
              case 'drain':
                wire.drain();
                model.full = false;
                told = [...model.waiting];
                model.waiting.clear();
                break;
              default:
                if (model.full) break;
                feedEach(wire, INITIALIZE.replace('"id":1', '"id":"init"'));
                expect(wire.take()).toHaveLength(1);
                model.legacy = true;
            }
            if (model.full && one.do !== 'drain') {
              for (const text of told) model.waiting.add(text);
              told = [];
            }
            expect(wire.take().map(read).sort()).toEqual(told.sort());
          }
          await session.close();
          const ends = wire.take();
          expect(ends.map((frame) => frame.id)).toEqual([...model.open.keys()]);
          for (const { id, result } of ends) expect(result._meta[SUBSCRIPTION]).toBe(id);
        },
      ),
      { numRuns: 300 },
    );
  });
});
