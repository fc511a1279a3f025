import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { formatMarkup } from "./format.ts";
import { renderPage, type Page } from "./layout.ts";

/** What has happened, at one look. The words beside it say the same. */
export type Sign = "done" | "stopped" | "problem" | "expired";

const strokes: Record<Sign, string> = {
  done: "M15 25.5l6 6 12.5-14",
  stopped: "M16 24h16",
  problem: "M24 14v12M24 33v.5",
  expired: "M24 14v10l7 5",
};

function renderSign(sign: Sign): Html {
  const shape = html`<circle cx="24" cy="24" r="21"></circle><path d="${strokes[sign]}"></path>`;
  return html`<svg class="sign ${sign}" width="48" height="48" aria-hidden="true" focusable="false">${shape}</svg>`;
}

/** A client's application, as far as a page may lead to it. */
export interface WayBack {
  client: string;
  /** The site of a redirect address that is registered. */
  address: string;
}

/** A last page, without a next step. It shows the reference that somebody names who asks for help. */
export function renderEndPage({ sign, body, ...page }: Page & { sign: Sign }): Html {
  const { texts, reference } = page;
  const text = formatMarkup(texts.errors.reference, { reference });
  return renderPage({
    ...page,
    body: html`${renderSign(sign)}
${body}
<div class="reference">${text}</div>`,
  });
}

export function renderWayBack(
  { texts }: Pick<Page, "texts">,
  back: WayBack | undefined,
): HtmlValue {
  if (!back) return undefined;
  const text = formatMarkup(texts.failed.back, { client: back.client });
  return html`<p class="way-back"><a class="button" href="${back.address}">${text}</a></p>`;
}

/** Undefined for an application on the end user's own computer, which has no site to go to. */
export function findSite(redirectUri: string): string | undefined {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === "https:" ? `${origin}/` : undefined;
}
