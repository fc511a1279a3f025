import { readPng, type SizedBytes } from "./png.ts";
import { readSvg } from "./svg.ts";

interface Picture extends SizedBytes {
  kind: PictureKind;
}

type PictureKind = "png" | "svg";

export const maxPictureBytes = 100_000;

const readers: Record<PictureKind, (bytes: Buffer) => SizedBytes | undefined> = {
  png: readPng,
  svg: readSvg,
};

/** The content type that a picture is served with. */
export const pictureTypes: Record<PictureKind, string> = {
  png: "image/png",
  svg: "image/svg+xml",
};

/**
 * The headers of a picture that somebody gave us. Browsers show it inside a page of ours; opened by itself it runs
 * nothing and loads nothing.
 */
export const pictureHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** By what its bytes are, whatever the file is called. Undefined for what is no picture of these kinds. */
export function readPicture(
  bytes: Buffer,
  kinds: readonly PictureKind[] = ["png", "svg"],
): Picture | undefined {
  if (bytes.length > maxPictureBytes) return undefined;
  for (const kind of kinds) {
    const read = readers[kind](bytes);
    if (read) return { ...read, kind };
  }
  return undefined;
}
