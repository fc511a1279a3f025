import { inflateSync } from "node:zlib";
import { makePng, pngChunk } from "./png.ts";

const bytesPerPixel = 3;
const mostColors = 256;

/** The same picture with a table of at most 256 colours, which is a third as long. It is what a browser takes: RGB. */
export function indexPng(png: Buffer): Buffer {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png.toString("hex", 24, 29) !== "0802000000") throw new Error("the PNG is not plain RGB");
  const pixels = unfilter(inflateSync(dataOf(png)), width * bytesPerPixel);
  const { table, indexes } = reduce(pixels);
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.alloc(1), indexes.subarray(row * width, (row + 1) * width)]),
  );
  const more = [pngChunk("PLTE", table)];
  return makePng({ width, height, colourType: 3, pixels: Buffer.concat(rows), more });
}

function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(parts);
}

/** The rows as they are, without what each is the difference to. */
function unfilter(filtered: Buffer, rowLength: number): Buffer {
  const height = filtered.length / (rowLength + 1);
  const pixels = Buffer.alloc(height * rowLength);
  for (let row = 0; row < height; row += 1) {
    const filter = filtered[row * (rowLength + 1)] ?? 0;
    for (let column = 0; column < rowLength; column += 1) {
      const at = row * rowLength + column;
      const isFirst = column < bytesPerPixel;
      const left = isFirst ? 0 : (pixels[at - bytesPerPixel] ?? 0);
      const above = pixels[at - rowLength] ?? 0;
      const corner = isFirst ? 0 : (pixels[at - rowLength - bytesPerPixel] ?? 0);
      const near = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter] ?? 0;
      pixels[at] = (filtered[row * (rowLength + 1) + 1 + column] ?? 0) + near;
    }
  }
  return pixels;
}

/** Paeth's, of the specification of PNG. */
function nearest(left: number, above: number, corner: number): number {
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** The colours that most pixels have. Another one becomes the nearest of them. */
function reduce(pixels: Buffer): { table: Buffer; indexes: Buffer } {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += bytesPerPixel) {
    const color = pixels.readUIntBE(at, bytesPerPixel);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one);
  const kept = byCount.slice(0, mostColors).map(([color]) => color);
  const indexOf = new Map([...counts.keys()].map((color) => [color, findNearest(kept, color)]));
  const table = Buffer.alloc(kept.length * bytesPerPixel);
  for (const [index, color] of kept.entries())
    table.writeUIntBE(color, index * bytesPerPixel, bytesPerPixel);
  const indexes = Buffer.alloc(pixels.length / bytesPerPixel);
  for (const index of indexes.keys())
    indexes[index] = indexOf.get(pixels.readUIntBE(index * bytesPerPixel, bytesPerPixel)) ?? 0;
  return { table, indexes };
}

function findNearest(colors: readonly number[], color: number): number {
  const distances = colors.map((each) => distanceOf(each, color));
  return distances.indexOf(Math.min(...distances));
}

function distanceOf(one: number, other: number): number {
  const parts = [16, 8, 0].map((shift) => ((one >> shift) & 255) - ((other >> shift) & 255));
  return parts.reduce((sum, part) => sum + part * part, 0);
}
