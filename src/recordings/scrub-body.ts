interface Leaves {
  text: (text: string) => string;
  /** Of a list with other kinds of values beside it. */
  number: (value: number) => number;
  /** Of an object. */
  member: (name: string, value: number) => number;
}

const looksLikeName = /^[A-Za-z_$@][\w$.:@-]*$/;
const attribute = /="([^"]*)"/g;
const cell = /"([^"]*)"|[^,;\t\r\n"]+/g;

/** A name of a member of JSON that is a name of a field, and no value. */
export function isFieldName(name: string): boolean {
  return looksLikeName.test(name);
}

/** Each text of a JSON value, and each name that is a value itself, such as a day, made up. */
export function scrubLeaves(value: unknown, leaves: Leaves): unknown {
  if (typeof value === "string") return leaves.text(value);
  if (Array.isArray(value)) return scrubList(value, leaves);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      isFieldName(name) ? name : leaves.text(name),
      typeof member === "number" ? leaves.member(name, member) : scrubLeaves(member, leaves),
    ]),
  );
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

/** Markup keeps its tags and the names of attributes; anything else is taken cell by cell. */
export function scrubText(body: string, text: (text: string) => string): string {
  const isMarkup = body.trimStart().startsWith("<");
  if (isMarkup) return scrubMarkup(body, text);
  return body.replaceAll(cell, (found, inner: string | undefined) =>
    inner === undefined ? keepSpaces(found, text) : `"${text(inner)}"`,
  );
}

function scrubMarkup(body: string, text: (text: string) => string): string {
  return body
    .split("<")
    .map((part, index) => {
      const end = part.indexOf(">");
      if (index === 0 || end < 0) return keepSpaces(part, text);
      const tag = part
        .slice(0, end)
        .replaceAll(attribute, (_found, value: string) => `="${text(value)}"`);
      return `${tag}>${keepSpaces(part.slice(end + 1), text)}`;
    })
    .join("<");
}

/** Spaces around a text say nothing. */
function keepSpaces(found: string, text: (text: string) => string): string {
  const inner = found.trim();
  return inner === "" ? found : found.replace(inner, () => text(inner));
}
