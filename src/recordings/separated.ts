/** A row by the names of its columns. */
type SeparatedRow = Record<string, unknown>;

interface SeparatedCell {
  owner: SeparatedRow;
  name: string;
  isQuoted: boolean;
}

/** Lines of cells, such as CSV. */
export interface Separated {
  rows: readonly SeparatedRow[];
  /** The first line, which may name the columns. */
  header: readonly SeparatedCell[];
  /** What stands between the cells, and the cells. */
  pieces: readonly (string | SeparatedCell)[];
}

const separators = [";", "\t", ",", "|"];

/** Undefined for a text whose first lines have no cells. */
export function parseSeparated(body: string): Separated | undefined {
  const [first = "", second = ""] = body.split(/\r?\n/, 2);
  const separator = separators.find((one) => first.includes(one) && second.includes(one));
  if (separator === undefined) return undefined;
  const pieces: (string | SeparatedCell)[] = [];
  let owner = createRow();
  const rows = [owner];
  let names: string[] = [];
  let column = 0;
  for (let at = 0; at < body.length;) {
    const { text, isQuoted, end } = takeCell(body, at, separator);
    const name = rows.length > 1 ? (names[column] ?? String(column)) : String(column);
    owner[name] = text;
    pieces.push({ owner, name, isQuoted });
    const ending = takeEnding(body, end, separator);
    pieces.push(ending);
    at = end + ending.length;
    column += 1;
    if (ending === separator || at >= body.length) continue;
    if (rows.length === 1) names = nameColumns(owner);
    owner = createRow();
    rows.push(owner);
    column = 0;
  }
  const [head, ...others] = rows;
  const header = pieces.filter((piece) => typeof piece !== "string" && piece.owner === head);
  return { rows: others, header: header as SeparatedCell[], pieces };
}

/** Names of columns are no names of JavaScript's. */
function createRow(): SeparatedRow {
  return Object.create(null) as SeparatedRow;
}

/** With the cells as they stand in their rows now. */
export function writeSeparated({ pieces }: Separated): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      const text = String(piece.owner[piece.name]);
      return piece.isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join("");
}

function takeCell(
  body: string,
  at: number,
  separator: string,
): { text: string; isQuoted: boolean; end: number } {
  if (body[at] === '"') {
    let end = body.indexOf('"', at + 1);
    while (end >= 0 && body[end + 1] === '"') end = body.indexOf('"', end + 2);
    const to = end < 0 ? body.length : end;
    return { text: body.slice(at + 1, to).replaceAll('""', '"'), isQuoted: true, end: to + 1 };
  }
  let end = at;
  while (end < body.length && body[end] !== separator && body[end] !== "\n" && body[end] !== "\r")
    end += 1;
  return { text: body.slice(at, end), isQuoted: false, end };
}

/** The separator, or the ends of lines up to the next cell. */
function takeEnding(body: string, at: number, separator: string): string {
  if (body[at] === separator) return separator;
  let end = at;
  while (body[end] === "\n" || body[end] === "\r") end += 1;
  return body.slice(at, Math.max(end, Math.min(at + 1, body.length)));
}

/** Two columns of one name are told apart by their places. */
function nameColumns(head: SeparatedRow): string[] {
  const titles = Object.values(head).map(String);
  return titles.map((title, index) =>
    title === "" || titles.indexOf(title) < index ? `${title}${index}` : title,
  );
}
