import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Texts } from "../texts/index.ts";
import { renderEndPage, renderWayBack, type WayBack, type Sign } from "./end-page.ts";
import type { PageContext } from "./layout.ts";

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

/** `wayOn` is for pages whose own address may work when it is opened again. */
export const errorPages: Record<
  ErrorPageKind,
  { status: number; title: keyof Texts["title"]; sign: Sign; wayOn?: "again" | "reopen" }
> = {
  expired: { status: 410, title: "expired", sign: "expired" },
  used: { status: 410, title: "used", sign: "stopped" },
  unknown: { status: 404, title: "unknown", sign: "stopped" },
  nowhere: { status: 404, title: "nowhere", sign: "stopped" },
  link: { status: 400, title: "link", sign: "problem" },
  forged: { status: 403, title: "forged", sign: "problem", wayOn: "reopen" },
  tooMany: { status: 429, title: "tooMany", sign: "expired", wayOn: "again" },
  unavailable: { status: 503, title: "trouble", sign: "problem", wayOn: "again" },
  server: { status: 500, title: "trouble", sign: "problem", wayOn: "again" },
};

/** A developer's mistake in a link. The page shows it in small print. */
export type LinkFault = "clientUnknown" | "redirectUnknown" | "repeated";

export function errorPage(
  context: PageContext,
  kind: ErrorPageKind,
  { fault, back }: { fault?: LinkFault; back?: WayBack },
): Html {
  const { texts, here } = context;
  const { title, sign, wayOn } = errorPages[kind];
  const body: HtmlValue = html`<p>${texts.errors[kind]}</p>
${wayOn && html`<p><a class="button" href="${here}">${texts.errors[wayOn]}</a></p>`}
${kind === "nowhere" && html`<p><a class="button" href="/">${texts.errors.home}</a></p>`}
${renderWayBack(context, back)}
${fault && html`<p class="detail">${texts.errors.detail} ${texts.errors[fault]}</p>`}`;
  return renderEndPage({ ...context, title: texts.title[title], body, sign });
}
