import { readFileSync } from "node:fs";
import { sha256 } from "../platform/crypto/index.ts";
import { FixedDocument } from "../platform/http/index.ts";

interface Asset {
  /** Holds a digest of the content, so that a browser may keep the file for ever. */
  path: string;
  document: FixedDocument;
}

/** The files that the pages load. */
export const assets = {
  style: loadAsset("guides.css", "text/css; charset=utf-8"),
  icon: loadAsset("icon.svg", "image/svg+xml"),
};

function loadAsset(name: string, type: string): Asset {
  const bytes = readFileSync(new URL(`assets/${name}`, import.meta.url));
  const digest = sha256(bytes).toString("base64url").slice(0, 12);
  return { path: `/docs/assets/${digest}/${name}`, document: new FixedDocument({ type, bytes }) };
}
