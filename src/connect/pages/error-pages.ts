import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Texts } from "../texts/index.ts";
import { renderEndPage, renderWayBack, type WayBack } from "./end-page.ts";
import type { PageContext } from "./layout.ts";
import type { Sign } from "./sign.ts";

/**
 * What stops an end user before or outside a flow. These pages link to no address that the link named, but for the site
 * of a client whose flow was this browser's own.
 */
export type ErrorPageKind =
  | "expired"
  | "used"
  | "unknown"
  | "nowhere"
  | "link"
  | "forged"
  | "tooMany"
  | "unavailable"
  | "server";

const titles: Record<ErrorPageKind, keyof Texts["title"]> = {
  expired: "expired",
  used: "used",
  unknown: "unknown",
  nowhere: "nowhere",
  link: "link",
  forged: "forged",
  tooMany: "tooMany",
  unavailable: "trouble",
  server: "trouble",
};

/** Pages whose own address may work when it is opened again. */
const waysOn: Partial<Record<ErrorPageKind, "again" | "reopen">> = {
  tooMany: "again",
  unavailable: "again",
  server: "again",
  forged: "reopen",
};

const signs: Record<ErrorPageKind, Sign> = {
  expired: "expired",
  used: "stopped",
  unknown: "stopped",
  nowhere: "stopped",
  link: "problem",
  forged: "problem",
  tooMany: "expired",
  unavailable: "problem",
  server: "problem",
};

/** A developer's mistake in a link. The page shows it in small print. */
export type LinkFault = "clientUnknown" | "redirectUnknown" | "repeated";

export const errorStatuses: Record<ErrorPageKind, number> = {
  expired: 410,
  used: 410,
  unknown: 404,
  nowhere: 404,
  link: 400,
  forged: 403,
  tooMany: 429,
  unavailable: 503,
  server: 500,
};

export function errorPage(
  context: PageContext,
  kind: ErrorPageKind,
  { fault, back }: { fault?: LinkFault; back?: WayBack },
): Html {
  const { texts, here } = context;
  const wayOn = waysOn[kind];
  const body: HtmlValue = html`<p>${texts.errors[kind]}</p>
${wayOn && html`<p><a class="button" href="${here}">${texts.errors[wayOn]}</a></p>`}
${kind === "nowhere" && html`<p><a class="button" href="/">${texts.errors.home}</a></p>`}
${renderWayBack(context, back)}
${fault && html`<p class="detail">${texts.errors.detail} ${texts.errors[fault]}</p>`}`;
  const title = texts.title[titles[kind]];
  return renderEndPage({ ...context, title, body, sign: signs[kind] });
}
