import { isReference } from "./what-stays.ts";

interface Leaves {
  /** Whether a name of a member stays: else it is a value, such as a day. */
  isName: (name: string) => boolean;
  text: (text: string) => string;
  /** Whether the member is made up already. */
  isMade: (owner: object, name: string) => boolean;
  /** Of a list: an id, or something else, such as a cell of a table. */
  id: (value: number) => number;
  number: (value: number) => number;
  /** Whether a number leads on, or counts something. */
  isJoining: (value: number) => boolean;
  /** Of an object. */
  member: (name: string, value: number) => number;
}

/** Each text of a JSON value, and each name that is none of a field, made up. */
export function scrubLeaves(value: unknown, leaves: Leaves, name = ""): unknown {
  if (typeof value === "string") return leaves.text(value);
  if (Array.isArray(value)) return scrubList(value, leaves, name);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      leaves.isName(name) ? name : leaves.text(name),
      scrubMember(value, name, leaves, member),
    ]),
  );
}

function scrubMember(owner: object, name: string, leaves: Leaves, member: unknown): unknown {
  if (leaves.isMade(owner, name)) return member;
  return typeof member === "number"
    ? leaves.member(name, member)
    : scrubLeaves(member, leaves, name);
}

/** Ids are whole numbers that lead on or stand under the name of a reference, and one with its title. */
function scrubList(list: readonly unknown[], leaves: Leaves, name: string): unknown[] {
  const areIds = list.every(
    (one) => Number.isInteger(one) && (isReference(name) || leaves.isJoining(one as number)),
  );
  const isTitled = list.length === 2 && Number.isInteger(list[0]) && typeof list[1] === "string";
  const ofNumber = areIds || isTitled ? leaves.id : leaves.number;
  return list.map((one) => (typeof one === "number" ? ofNumber(one) : scrubLeaves(one, leaves)));
}
