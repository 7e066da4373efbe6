import type { Member, Members, Place } from './place.ts';

/** More are not counted. */
const MAX_USES = 64;

/** One member of an object that is known by heart. */
interface KnownMember {
  readonly member: Member;
  /** The value, unless it is an object. */
  readonly value: unknown;
  readonly object: KnownObject | undefined;
}

/**
 * An object that is known by heart, and the objects in it. Each use makes a fresh one, of the hidden class that reading gives it, without a look at its
 * text: who gets it may change it.
 */
export class KnownObject {
  readonly #members: readonly KnownMember[];
  #uses = 0;

  constructor(members: readonly KnownMember[]) {
    this.#members = members;
  }

  make(): object {
    if (this.#uses < MAX_USES) this.#uses++;
    const made: Record<string, unknown> = {};
    for (let i = 0; i < this.#members.length; i++) {
      const { member, value, object } = this.#members[i] as KnownMember;
      member.add(made, member, object === undefined ? value : object.make());
    }
    return made;
  }

  /** How often it was used since it was asked the last time: 64 at most. */
  takeUses(): number {
    const uses = this.#uses;
    this.#uses = 0;
    return uses;
  }
}

/**
 * Learns an object by heart that was read where `place` is. Undefined when an array is in it, whose values may be many, or when its shape was not
 * learned in the order in which engines list members: names like `1` come first there.
 */
export function knownObject(place: Place, object: object): KnownObject | undefined {
  const known: KnownMember[] = [];
  let candidates = place.members;
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    const member = readMember(candidates, name);
    if (member === undefined) return undefined;
    if (typeof value === 'object' && value !== null) {
      const inner = Array.isArray(value) ? undefined : knownObject(member.value, value);
      if (inner === undefined) return undefined;
      known.push({ member, value: undefined, object: inner });
    } else {
      known.push({ member, value, object: undefined });
    }
    candidates = member.following;
  }
  return new KnownObject(known);
}

/** The member of that name whose value is not part of it. */
function readMember({ first }: Members, name: string): Member | undefined {
  let member = first;
  while (member !== undefined && (member.isKnown || member.name !== name)) member = member.next;
  return member;
}
