import type { SizedBytes } from "./png.ts";

const namespace = "http://www.w3.org/2000/svg";
const space = /\s/;

/**
 * An SVG in UTF-8 whose size is known: it has a `viewBox`, or a width and a height. Undefined for everything else. What
 * is in it is not looked at: it is shown as a picture, in which browsers run and load nothing.
 */
export function readSvg(bytes: Buffer): SizedBytes | undefined {
  const text = decode(bytes)?.trim();
  if (!text?.endsWith("</svg>")) return undefined;
  const attributes = readRoot(text, skipProlog(text));
  if (attributes?.get("xmlns") !== namespace) return undefined;
  const size = sizeOf(attributes);
  return size && { bytes, ...size };
}

/** Without a byte order mark. Undefined for what is not UTF-8. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Where the first element begins: behind the declaration of XML, comments, and a document type without rules. */
function skipProlog(text: string): number {
  let at = 0;
  for (;;) {
    while (space.test(text.charAt(at))) at += 1;
    const end = prologParts.find(({ start }) => text.startsWith(start, at))?.end;
    if (end === undefined) return at;
    const found = text.indexOf(end, at);
    if (found === -1) return text.length;
    at = found + end.length;
  }
}

const prologParts = [
  { start: "<?", end: "?>" },
  { start: "<!--", end: "-->" },
  { start: "<!DOCTYPE", end: ">" },
];

/** The attributes of an element `svg` at this place. */
function readRoot(text: string, start: number): Map<string, string> | undefined {
  if (!text.startsWith("<svg", start)) return undefined;
  const attributes = new Map<string, string>();
  let at = start + "<svg".length;
  while (space.test(text.charAt(at))) {
    while (space.test(text.charAt(at))) at += 1;
    if (text.charAt(at) === ">") break;
    const equals = text.indexOf("=", at);
    const quote = text.charAt(equals + 1);
    const end = text.indexOf(quote, equals + 2);
    if (equals === -1 || !['"', "'"].includes(quote) || end === -1) return undefined;
    attributes.set(text.slice(at, equals), text.slice(equals + 2, end));
    at = end + 1;
  }
  return text.charAt(at) === ">" ? attributes : undefined;
}

function sizeOf(attributes: Map<string, string>): Omit<SizedBytes, "bytes"> | undefined {
  const box = (attributes.get("viewBox") ?? "").trim().split(/[\s,]+/);
  const sides =
    box.length === 4 ? box.slice(2) : [attributes.get("width"), attributes.get("height")];
  const [width = 0, height = 0] = sides.map((side = "") => Number(side.replace(/px$/, "")));
  return isSide(width) && isSide(height) ? { width, height } : undefined;
}

function isSide(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
