const quote = 0x22;
const backslash = 0x5c;
const other = 0;
const comma = 1;
const opening = 2;
const closing = 3;
const stringStart = 4;
const kinds = new Uint8Array(256);
kinds[quote] = stringStart;
for (const character of ",") kinds[character.charCodeAt(0)] = comma;
for (const character of "[{") kinds[character.charCodeAt(0)] = opening;
for (const character of "]}") kinds[character.charCodeAt(0)] = closing;
/** From this length on, a search for the quote is quicker than a look at each byte. */
const longStringBytes = 64;

/**
 * The limit that parsing these bytes would exceed, or null. It allocates nothing. Commas and opening
 * brackets outside of strings are counted, which is at least the number of values but one. What is not JSON
 * counts up to its first mistake as the parser reads it, and the parser stops there.
 */
export function findExceededLimit(
  bytes: Uint8Array,
  mostValues: number,
  mostDepth: number,
): "values" | "depth" | null {
  const end = bytes.length;
  let values = 0;
  let depth = 0;
  let at = 0;
  while (at < end) {
    const kind = kinds[bytes[at] ?? 0];
    at += 1;
    if (kind === other) continue;
    if (kind === stringStart) {
      at = findEndOfString(bytes, at, end);
    } else if (kind === closing) {
      depth -= 1;
    } else {
      values += 1;
      if (kind === opening) depth += 1;
      if (values > mostValues) return "values";
      if (depth > mostDepth) return "depth";
    }
  }
  return null;
}

/** The place after the closing quote, or the end of the bytes. */
function findEndOfString(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; ;) {
    const near = Math.min(at + longStringBytes, end);
    while (at < near) {
      const byte = bytes[at];
      at += byte === backslash ? 2 : 1;
      if (byte === quote) return at;
    }
    const next = bytes.indexOf(quote, at);
    if (next === -1) return end;
    if (!isEscaped(bytes, at, next)) return next + 1;
    at = next + 1;
  }
}

function isEscaped(bytes: Uint8Array, start: number, at: number): boolean {
  let first = at;
  while (first > start && bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
