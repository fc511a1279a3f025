import { baseStyleFile, iconFile } from "../platform/html/index.ts";
import { loadAsset } from "../platform/http/index.ts";

export const assetFolder = "/docs/assets";

/** The files that the pages load. */
export const assets = {
  style: loadAsset(new URL("assets/guides.css", import.meta.url), {
    before: baseStyleFile,
    folder: assetFolder,
    type: "text/css; charset=utf-8",
  }),
  script: loadAsset(new URL("assets/copy-code.js", import.meta.url), {
    folder: assetFolder,
    type: "text/javascript; charset=utf-8",
  }),
  search: loadAsset(new URL("assets/search.js", import.meta.url), {
    folder: assetFolder,
    type: "text/javascript; charset=utf-8",
  }),
  try: loadAsset(new URL("assets/try.js", import.meta.url), {
    folder: assetFolder,
    type: "text/javascript; charset=utf-8",
  }),
  icon: loadAsset(iconFile, { folder: assetFolder, type: "image/svg+xml" }),
};
