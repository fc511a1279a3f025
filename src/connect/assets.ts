import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { FixedDocument } from "../platform/http/index.ts";

export interface Asset {
  /** Holds a digest of the content, so that a browser may keep the file for ever. */
  path: string;
  document: FixedDocument;
}

/** The files that the pages load. */
export const assets = {
  style: loadAsset("connect.css", "text/css; charset=utf-8"),
  script: loadAsset("connect.js", "text/javascript; charset=utf-8"),
  icon: loadAsset("icon.svg", "image/svg+xml"),
};

export function findAsset(path: string): Asset | undefined {
  return Object.values(assets).find((asset) => asset.path === path);
}

function loadAsset(name: string, type: string): Asset {
  const bytes = readFileSync(new URL(`assets/${name}`, import.meta.url));
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 12);
  return {
    path: `/connect/assets/${digest}/${name}`,
    document: new FixedDocument({ type, bytes }),
  };
}
