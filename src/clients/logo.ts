import { sha256 } from "../platform/crypto/index.ts";
import { readPicture } from "../platform/pictures/picture.ts";

/** A picture that browsers get from us. Its digest names it in its address. */
export interface Logo {
  png: Buffer;
  digest: string;
}

/** What is served of a picture that comes in base64. Undefined for what is no PNG that we take. */
export function decodeLogo(base64: string): Logo | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const picture = readPicture(Buffer.from(base64, "base64"), ["png"]);
  return picture && { png: picture.bytes, digest: sha256(picture.bytes).toString("base64url") };
}

/** Where browsers get the picture with this digest. */
export function logoPath(digest: string): string {
  return `/connect/logos/${digest}/logo.png`;
}
