import { baseStyleFile, iconFile } from "../platform/html/index.ts";
import { loadAsset } from "../platform/http/index.ts";

export const assetFolder = "/connect/assets";

/** The files that the pages load. */
export const assets = {
  style: loadAsset(new URL("assets/connect.css", import.meta.url), {
    before: baseStyleFile,
    folder: assetFolder,
    type: "text/css; charset=utf-8",
  }),
  script: loadAsset(new URL("assets/connect.js", import.meta.url), {
    folder: assetFolder,
    type: "text/javascript; charset=utf-8",
  }),
  icon: loadAsset(iconFile, { folder: assetFolder, type: "image/svg+xml" }),
};
