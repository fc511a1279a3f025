import { crc32, inflateSync } from "node:zlib";

/** What is served of a picture, with its size in pixels, or for an SVG in any unit. */
export interface SizedBytes {
  bytes: Buffer;
  width: number;
  height: number;
}

const minSide = 16;
const maxSide = 1_024;

const signature = Buffer.from("89504e470d0a1a0a", "hex");
/** Samples of a pixel, and the depths that the format allows, by colour type. */
const colourTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** A reader has to understand every one of these. */
const criticalChunks = new Set(["IHDR", "PLTE", "IDAT", "IEND"]);
/** Of the others, those that a still picture needs. Texts, places, profiles and animations are left out. */
const keptChunks = new Set([...criticalChunks, "tRNS", "gAMA", "sRGB"]);
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Chunk {
  type: string;
  data: Buffer;
  bytes: Buffer;
}

interface Header {
  width: number;
  height: number;
  bitsPerPixel: number;
  colourType: number;
  isInterlaced: boolean;
}

/**
 * What is served of a PNG that decodes to as many pixels as it says: the same without anything that is no picture.
 * Undefined for everything else, also for one with a side below 16 or above 1,024 pixels.
 */
export function readPng(bytes: Buffer): SizedBytes | undefined {
  const chunks = readChunks(bytes);
  const header = chunks && readHeader(chunks);
  if (!header || !decodes(header, chunks)) return undefined;
  const kept = chunks.filter(({ type }) => keptChunks.has(type)).map((chunk) => chunk.bytes);
  const { width, height } = header;
  return { bytes: Buffer.concat([signature, ...kept]), width, height };
}

/** From the first to the last one, with nothing after it. Undefined for a broken file. */
function readChunks(bytes: Buffer): Chunk[] | undefined {
  if (!bytes.subarray(0, signature.length).equals(signature)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = signature.length; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const named = bytes.subarray(at + 4, end - 4);
    if (crc32(named) !== bytes.readUInt32BE(end - 4)) return undefined;
    const type = named.toString("latin1", 0, 4);
    chunks.push({ type, data: named.subarray(4), bytes: bytes.subarray(at, end) });
    if (type === "IEND") return end === bytes.length ? chunks : undefined;
    at = end;
  }
  return undefined;
}

function readHeader([first]: readonly Chunk[]): Header | undefined {
  if (first?.type !== "IHDR" || first.data.length !== 13) return undefined;
  const { data } = first;
  const [depth = 0, colourType = 0, compression, filter, interlace = 0] = data.subarray(8);
  const width = data.readUInt32BE(0);
  const height = data.readUInt32BE(4);
  const colours = colourTypes[colourType];
  const isSane = [width, height].every((side) => side >= minSide && side <= maxSide);
  if (!isSane || !colours?.depths.includes(depth)) return undefined;
  if (compression !== 0 || filter !== 0 || interlace > 1) return undefined;
  const bitsPerPixel = colours.samples * depth;
  return { width, height, bitsPerPixel, colourType, isInterlaced: interlace === 1 };
}

function decodes(header: Header, chunks: readonly Chunk[]): boolean {
  const ofType = (name: string): Chunk[] => chunks.filter(({ type }) => type === name);
  const isUnderstood = chunks.every(
    ({ type }) => criticalChunks.has(type) || /^[a-z][A-Za-z]{3}$/.test(type),
  );
  if (!isUnderstood || ofType("IHDR").length !== 1) return false;
  if (header.colourType === 3 && ofType("PLTE").length !== 1) return false;
  const length = decodedLength(header);
  try {
    const compressed = Buffer.concat(ofType("IDAT").map(({ data }) => data));
    return inflateSync(compressed, { maxOutputLength: length }).length === length;
  } catch {
    return false;
  }
}

/** Each row begins with the number of its filter. An interlaced picture is seven smaller ones. */
function decodedLength({ width, height, bitsPerPixel, isInterlaced }: Header): number {
  const lengthOf = (columns: number, rows: number): number =>
    columns > 0 && rows > 0 ? rows * (1 + Math.ceil((columns * bitsPerPixel) / 8)) : 0;
  if (!isInterlaced) return lengthOf(width, height);
  return adam7
    .map(([left, top, right, down]) =>
      lengthOf(Math.ceil((width - left) / right), Math.ceil((height - top) / down)),
    )
    .reduce((sum, length) => sum + length, 0);
}
