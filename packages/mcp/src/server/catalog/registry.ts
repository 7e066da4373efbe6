import { encodeJson } from '@linewire/framing';
import { cursorSequence, cursorText } from './cursor.ts';

/** How the items of a registry are shown to clients. */
export interface RegistryKind<Item> {
  /** The member of the list result. */
  readonly member: string;
  /** Begins the list's cursors; no other list has it. */
  readonly letter: string;
  /** The item as a list shows it. */
  describe(item: Item, modern: boolean): object;
}

/** One registered item and what is known about its place and its text. */
interface Entry<Item> {
  readonly item: Item;
  /** From 1 on, one more for each registration; an item that was removed and comes again gets a new one. */
  readonly sequence: number;
  /** Encoded when the item is first listed, one text for each era. */
  readonly texts: [legacy: string | undefined, modern: string | undefined];
}

/**
 * The items of one kind in the order of their registration, and the pages of their list as text. An item is encoded once; the first
 * page, mostly the only one, is put together once and thrown away when something changes. Others are joined anew each time they are asked for, so
 * that no client can have more kept than the list itself.
 */
export class Registry<Item> {
  private readonly kind: RegistryKind<Item>;
  private readonly entries: Map<string, Entry<Item>> = new Map();
  private readonly pageSize: number;
  private lastSequence = 0;
  /** The entries by number, for the search of a page's start. */
  private ordered: readonly Entry<Item>[] | undefined = undefined;
  private readonly firstPages: [legacy: string | undefined, modern: string | undefined] = [
    undefined,
    undefined,
  ];

  /** @param pageSize - items on a page, at least 1. */
  constructor(kind: RegistryKind<Item>, pageSize: number) {
    this.kind = kind;
    this.pageSize = pageSize;
  }

  get size(): number {
    return this.entries.size;
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  get(key: string): Item | undefined {
    return this.entries.get(key)?.item;
  }

  /** In the order of registration. */
  *items(): Generator<Item> {
    for (const { item } of this.entries.values()) yield item;
  }

  /** `key` must be free. */
  add(key: string, item: Item): void {
    this.lastSequence++;
    this.entries.set(key, { item, sequence: this.lastSequence, texts: [undefined, undefined] });
    this.forgetPages();
  }

  /** False if there is none of that key. */
  remove(key: string): boolean {
    if (!this.entries.delete(key)) return false;
    this.forgetPages();
    return true;
  }

  /**
   * Members of the list result without braces: the items and, if more follow, the cursor. `undefined`: the cursor is none of this list.
   *
   * @param cursor - of the request; `undefined` for the first page.
   */
  page(cursor: unknown, modern: boolean): string | undefined {
    if (cursor === undefined) {
      const era = modern ? 1 : 0;
      this.firstPages[era] ??= this.pageFrom(0, modern);
      return this.firstPages[era];
    }
    const sequence = cursorSequence(this.kind.letter, cursor, this.lastSequence);
    return sequence === undefined ? undefined : this.pageFrom(this.indexBehind(sequence), modern);
  }

  private pageFrom(start: number, modern: boolean): string {
    const { kind, inOrder } = this;
    const end = Math.min(start + this.pageSize, inOrder.length);
    const texts: string[] = [];
    for (let at = start; at < end; at++) texts.push(this.textOf(inOrder[at] as Entry<Item>, modern));
    const last = inOrder[end - 1];
    const more =
      end < inOrder.length && last !== undefined
        ? `,"nextCursor":"${cursorText(kind.letter, last.sequence)}"`
        : '';
    return `"${kind.member}":[${texts.join(',')}]${more}`;
  }

  private textOf(entry: Entry<Item>, modern: boolean): string {
    const era = modern ? 1 : 0;
    let text = entry.texts[era];
    if (text === undefined) {
      text = encodeJson(this.kind.describe(entry.item, modern));
      // Mostly both eras read the same; then one string is kept.
      if (text === entry.texts[1 - era]) text = entry.texts[1 - era] as string;
      entry.texts[era] = text;
    }
    return text;
  }

  private get inOrder(): readonly Entry<Item>[] {
    this.ordered ??= [...this.entries.values()];
    return this.ordered;
  }

  /** The first index whose number is above `sequence`. */
  private indexBehind(sequence: number): number {
    const { inOrder } = this;
    let low = 0;
    let high = inOrder.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((inOrder[middle] as Entry<Item>).sequence <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private forgetPages(): void {
    this.ordered = undefined;
    this.firstPages[0] = undefined;
    this.firstPages[1] = undefined;
  }
}
