import type { Client } from "../clients/index.ts";
import type { Asset } from "../platform/http/index.ts";
import { makeColorStyle } from "./color-style.ts";
import { loadPicture, type ShownPicture } from "./load-picture.ts";
import { loadMarks, type ProviderMarks } from "./provider-marks.ts";

/** How the operator wants the pages to look, and where they lead. */
export interface BrandOptions {
  /** What the pages call the service. */
  serviceName: string;
  operatorName: string | undefined;
  /** `#rrggbb`, dark enough for text on a light page. */
  color: string | undefined;
  /** The path of a picture. */
  logo: string | undefined;
  /** The path of a folder with the marks of providers. */
  marks: string | undefined;
  /** What is shown of a client's own look: nothing, its logo, or on its own pages its colour too. */
  ofClients: "off" | "logo" | "on";
  privacyUrl: string | undefined;
  imprintUrl: string | undefined;
  supportUrl: string | undefined;
}

export interface Brand extends Omit<BrandOptions, "logo" | "marks"> {
  logo: ShownPicture | undefined;
  marks: ProviderMarks;
}

/** Throws StartRefused for a logo or a mark that cannot be shown. */
export function loadBrand(options: BrandOptions, registry: Parameters<typeof loadMarks>[1]): Brand {
  const { logo, marks } = options;
  return {
    ...options,
    logo: logo === undefined ? undefined : loadPicture(logo, "OPERATOR_LOGO"),
    marks: marks === undefined ? new Map() : loadMarks(marks, registry),
  };
}

/** The brand on the pages of one client. */
export function brandOfClient(
  brand: Brand,
  { brandColor }: Partial<Pick<Client, "brandColor">>,
): Brand {
  return brand.ofClients === "on" && brandColor ? { ...brand, color: brandColor } : brand;
}

/** Where the colours in the place of ours are. Undefined when the pages have ours. */
export function stylePathOf({ color }: Brand): string | undefined {
  return color === undefined ? undefined : makeColorStyle(color).path;
}

/** What pages of this brand load beside what all pages do. */
export function listBrandAssets({ logo, marks }: Brand): Asset[] {
  return [...(logo ? [logo.asset] : []), ...marks.values()];
}
