import type { Member } from './place.ts';

/** Adds a member to an object that has all members before it. The name must be one that no object inherits. */
export type AddMember = (object: Record<string, unknown>, member: Member, value: unknown) => void;

/** Uses after which a member is worth a function of its own. */
const MANY_USES = 64;

/** A member's first function. */
export const addAndCount: AddMember = (object, member, value) => {
  object[member.name] = value;
  member.uses++;
  if (member.uses === MANY_USES) member.add = ownFunction(member);
};

const addAny: AddMember = (object, { name }, value) => {
  object[name] = value;
};

/** Functions that are given away, by the names of the object's members up to the one that is added. */
const given: Map<string, AddMember> = new Map();

/**
 * A function that adds nothing but this member, in this process; members of the same name behind the same others share it, since for the
 * engine they are one. When all are given away, one for everything, which is what every member would have without them.
 */
function ownFunction(member: Member): AddMember {
  const path = JSON.stringify(namesUpTo(member));
  let own = given.get(path);
  if (own === undefined) {
    own = twins[given.size];
    if (own === undefined) return addAny;
    given.set(path, own);
  }
  return own;
}

function namesUpTo(member: Member): string[] {
  const names: string[] = [];
  for (let at: Member | undefined = member; at !== undefined; at = at.siblings.after) names.push(at.name);
  return names;
}

/**
 * The same function again and again. An engine learns for each place in the source what is stored there: one name in one hidden class
 * costs 3 ns, anything at all 12 ns. That is a fifth of a decode, and there is no other way to have more such places without
 * generating code.
 */
// biome-ignore format: one beside the other, they are seen to be the same
const twins: readonly AddMember[] = [
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
  (o, { name }, v) => { o[name] = v; }, (o, { name }, v) => { o[name] = v; },
];
