import { crc32, deflateSync } from "node:zlib";

interface Picture {
  width?: number;
  height?: number;
  depth?: number;
  colourType?: number;
  interlace?: number;
  /** The rows, each with the number of its filter; of one colour by default. */
  pixels?: Buffer;
  /** Between the header and the pixels. */
  more?: readonly Buffer[];
}

const signature = Buffer.from("89504e470d0a1a0a", "hex");

export function pngChunk(type: string, data: Buffer | string = ""): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), Buffer.from(data)]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(named.length - 4, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}

/** A PNG of one colour. */
export function makePng({
  width = 64,
  height = 64,
  depth = 8,
  colourType = 2,
  interlace = 0,
  pixels = rows(width, height),
  more = [],
}: Picture = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlace], 8);
  return Buffer.concat([
    signature,
    pngChunk("IHDR", header),
    ...more,
    pngChunk("IDAT", deflateSync(pixels)),
    pngChunk("IEND"),
  ]);
}

/** Three bytes a pixel. */
function rows(width: number, height: number): Buffer {
  const row = Buffer.concat([
    Buffer.alloc(1),
    Buffer.alloc(width * 3, Buffer.from("1f7a5c", "hex")),
  ]);
  return Buffer.concat(Array.from({ length: height }, () => row));
}
