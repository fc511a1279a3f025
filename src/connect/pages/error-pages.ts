import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Texts } from "../texts/index.ts";
import { renderPage, type PageContext } from "./layout.ts";

/** What stops an end user before or outside a flow. These pages link to no address that the link named. */
export type ErrorPageKind =
  "expired" | "used" | "unknown" | "link" | "forged" | "tooMany" | "unavailable" | "server";

const titles: Record<ErrorPageKind, keyof Texts["title"]> = {
  expired: "expired",
  used: "used",
  unknown: "unknown",
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

/** A developer's mistake in a link. The page shows it in small print. */
export type LinkFault = "clientUnknown" | "redirectUnknown" | "repeated";

export const errorStatuses: Record<ErrorPageKind, number> = {
  expired: 410,
  used: 410,
  unknown: 404,
  link: 400,
  forged: 403,
  tooMany: 429,
  unavailable: 503,
  server: 500,
};

export function errorPage(context: PageContext, kind: ErrorPageKind, fault?: LinkFault): Html {
  const { texts, here } = context;
  const wayOn = waysOn[kind];
  const body: HtmlValue = html`<p>${texts.errors[kind]}</p>
${wayOn && html`<p><a class="button" href="${here}">${texts.errors[wayOn]}</a></p>`}
${fault && html`<p class="detail">${texts.errors.detail} ${texts.errors[fault]}</p>`}`;
  return renderPage({ ...context, title: texts.title[titles[kind]], body });
}
