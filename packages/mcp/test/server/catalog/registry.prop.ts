import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Registry, type RegistryKind } from '../../../src/server/catalog/registry.ts';

interface Item {
  readonly id: number;
}

const kind: RegistryKind<Item> = {
  member: 'things',
  letter: 'x',
  describe: ({ id }, modern) => ({ id, era: modern ? 'modern' : 'legacy' }),
};

/** One page as a client reads it. */
function page(registry: Registry<Item>, cursor: string | undefined, modern = true) {
  const text = registry.page(cursor, modern);
  if (text === undefined) throw new Error(`a cursor that was handed out is refused: ${cursor}`);
  return JSON.parse(`{${text}}`) as {
    things: { id: number; era: string }[];
    nextCursor?: string;
  };
}

/** What happens to a list between two pages: the removal of the nth of what is there, or a new item. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const) }),
  fc.record({ kind: fc.constant('remove' as const), nth: fc.nat(50) }),
);

describe('the pages of a list', () => {
  it('joined are the list, for any page size', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 70 }), (count, pageSize) => {
        const registry = new Registry(kind, pageSize);
        for (let id = 0; id < count; id++) registry.add(String(id), { id });
        const ids: number[] = [];
        let cursor: string | undefined;
        let pages = 0;
        do {
          const { things, nextCursor } = page(registry, cursor);
          expect(things.length).toBeLessThanOrEqual(pageSize);
          ids.push(...things.map((thing) => thing.id));
          cursor = nextCursor;
          pages++;
          expect(pages).toBeLessThan(100);
        } while (cursor !== undefined);
        expect(ids).toEqual(Array.from({ length: count }, (_, id) => id));
        expect(pages).toBe(Math.max(1, Math.ceil(count / pageSize)));
      }),
    );
  });

  it('whatever changes between them, have no item twice and every item that stayed', () => {
    fc.assert(
      fc.property(
        fc.nat(30),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 40 }),
        (count, pageSize, changes) => {
          const registry = new Registry(kind, pageSize);
          const alive = new Set<number>();
          let nextId = 0;
          const add = () => {
            registry.add(String(nextId), { id: nextId });
            alive.add(nextId);
            nextId++;
          };
          for (let n = 0; n < count; n++) add();
          const stayed = new Set(alive);
          const seen: number[] = [];
          let cursor: string | undefined;
          for (let turn = 0; ; turn++) {
            // 40 turns of changes add at most 240 items, one to a page.
            expect(turn).toBeLessThan(400);
            const { things, nextCursor } = page(registry, cursor);
            // A page shows the state of its moment.
            for (const { id } of things) expect(alive.has(id)).toBe(true);
            seen.push(...things.map((thing) => thing.id));
            cursor = nextCursor;
            if (cursor === undefined) break;
            for (const one of changes[turn] ?? []) {
              if (one.kind === 'add') add();
              else {
                const gone = [...alive][one.nth % Math.max(1, alive.size)];
                if (gone === undefined) continue;
                registry.remove(String(gone));
                alive.delete(gone);
                stayed.delete(gone);
              }
            }
          }
          expect(new Set(seen).size).toBe(seen.length);
          for (const id of stayed) expect(seen).toContain(id);
          expect(seen).toEqual([...seen].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('go on behind a cursor whose own item is gone', () => {
    const registry = new Registry(kind, 2);
    for (let id = 0; id < 4; id++) registry.add(String(id), { id });
    const { nextCursor } = page(registry, undefined);
    registry.remove('0');
    registry.remove('1');
    expect(page(registry, nextCursor).things.map(({ id }) => id)).toEqual([2, 3]);
  });

  it('list an item that was removed and comes again as a new one', () => {
    const registry = new Registry(kind, 2);
    for (let id = 0; id < 3; id++) registry.add(String(id), { id });
    registry.remove('0');
    registry.add('0', { id: 0 });
    const first = page(registry, undefined);
    expect(first.things.map(({ id }) => id)).toEqual([1, 2]);
    expect(page(registry, first.nextCursor).things.map(({ id }) => id)).toEqual([0]);
  });
});

describe('a cursor that was never handed out', () => {
  it('is refused, whatever it is, and is never the empty string', () => {
    const registry = new Registry(kind, 1);
    for (let id = 0; id < 40; id++) registry.add(String(id), { id });
    const handedOut = new Set<string>();
    let cursor: string | undefined;
    do {
      cursor = page(registry, cursor).nextCursor;
      if (cursor !== undefined) handedOut.add(cursor);
      expect(handedOut.size).toBeLessThan(40);
    } while (cursor !== undefined);
    expect(handedOut.has('')).toBe(false);
    expect(handedOut.size).toBe(39);
    const near = fc.tuple(fc.constantFrom(...handedOut), fc.constantFrom('0', ' ', 'Z', '.', '\n', 'x'));
    const bad = fc.oneof(
      fc.anything(),
      fc.string(),
      near.map(([text, more]) => text + more),
      near.map(([text, more]) => more + text),
      near.map(([text]) => text.toUpperCase()),
      fc.constantFrom('', 'x', 'x0', 'x-1', 'x1.5', 'xzzzzzzzzzzz', 'x15', null, 1, true),
    );
    fc.assert(
      fc.property(bad, (value) => {
        fc.pre(
          value !== undefined && !(typeof value === 'string' && (handedOut.has(value) || value === 'x14')),
        );
        expect(registry.page(value, true)).toBeUndefined();
      }),
    );
  });

  it('is refused if it belongs to another list', () => {
    const registry = new Registry(kind, 1);
    registry.add('a', { id: 1 });
    registry.add('b', { id: 2 });
    expect(registry.page('x1', true)).toBeDefined();
    expect(registry.page('t1', true)).toBeUndefined();
  });
});

describe('the texts of a list', () => {
  it('are encoded once, and are thrown away on change', () => {
    let described = 0;
    const registry = new Registry<Item>(
      {
        ...kind,
        describe: (item) => {
          described++;
          return { id: item.id };
        },
      },
      10,
    );
    registry.add('1', { id: 1 });
    expect(described).toBe(0);
    expect(registry.page(undefined, true)).toBe(registry.page(undefined, true));
    expect(described).toBe(1);
    registry.add('2', { id: 2 });
    expect(page(registry, undefined).things).toHaveLength(2);
    expect(described).toBe(2);
    registry.remove('1');
    expect(page(registry, undefined).things).toEqual([{ id: 2 }]);
    expect(described).toBe(2);
  });

  it('may differ between the eras', () => {
    const registry = new Registry(kind, 10);
    registry.add('1', { id: 1 });
    expect(page(registry, undefined, true).things[0]?.era).toBe('modern');
    expect(page(registry, undefined, false).things[0]?.era).toBe('legacy');
    expect(page(registry, undefined, true).things[0]?.era).toBe('modern');
  });
});
