import { readFileSync, statSync } from "node:fs";
import { makeAsset, type Asset } from "../platform/http/index.ts";
import {
  maxPictureBytes,
  pictureHeaders,
  pictureTypes,
  readPicture,
} from "../platform/pictures/picture.ts";
import { StartRefused } from "../platform/start-refused.ts";
import { assetFolder } from "./assets.ts";

/** A picture of the operator's on the pages. */
export interface ShownPicture {
  asset: Asset;
  /** How many times as wide as high it is. */
  ratio: number;
}

/** `setting` is the variable that names the file. Throws StartRefused for one that cannot be shown. */
export function loadPicture(path: string, setting: string): ShownPicture {
  const picture = readPicture(readBytes(path, setting));
  if (!picture)
    throw new StartRefused(
      `${setting}: ${path} is no picture that can be shown. It is a PNG of 16 to 1,024 pixels wide and high, or an SVG ` +
        "in UTF-8 with a viewBox.",
    );
  const { kind, bytes, width, height } = picture;
  const type = pictureTypes[kind];
  const asset = makeAsset(bytes, { folder: assetFolder, type, name: `picture.${kind}` });
  return { asset: { ...asset, headers: pictureHeaders }, ratio: width / height };
}

function readBytes(path: string, setting: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size > maxPictureBytes)
      throw new StartRefused(
        `${setting}: ${path} has ${size} bytes; a picture has up to ${maxPictureBytes}.`,
      );
    return readFileSync(path);
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefused(`${setting}: ${path} cannot be read (${code}).`, { cause: error });
  }
}
