interface Leaves {
  /** Whether a name of a member stays: else it is a value, such as a day. */
  isName: (name: string) => boolean;
  text: (text: string) => string;
  /** Whether the member is made up already. */
  isMade: (owner: object, name: string) => boolean;
  /** Of a list with other kinds of values beside it. */
  number: (value: number) => number;
  /** Of an object. */
  member: (name: string, value: number) => number;
}

/** Each text of a JSON value, and each name that is none of a field, made up. */
export function scrubLeaves(value: unknown, leaves: Leaves): unknown {
  if (typeof value === "string") return leaves.text(value);
  if (Array.isArray(value)) return scrubList(value, leaves);
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
  return typeof member === "number" ? leaves.member(name, member) : scrubLeaves(member, leaves);
}

/** A list of whole numbers, and a whole number with its title, are ids. */
function scrubList(list: readonly unknown[], leaves: Leaves): unknown[] {
  const isOfIds = list.every(Number.isInteger);
  const isTitled = list.length === 2 && Number.isInteger(list[0]) && typeof list[1] === "string";
  return list.map((one) =>
    typeof one === "number" && !isOfIds && !isTitled
      ? leaves.number(one)
      : scrubLeaves(one, leaves),
  );
}
