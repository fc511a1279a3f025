import { html, type Html } from "../../platform/html/index.ts";

/** What has happened, at one look. The words beside it say the same. */
export type Sign = "done" | "stopped" | "problem" | "expired";

const strokes: Record<Sign, string> = {
  done: "M15 25.5l6 6 12.5-14",
  stopped: "M16 24h16",
  problem: "M24 14v12M24 33v.5",
  expired: "M24 14v10l7 5",
};

export function renderSign(sign: Sign): Html {
  const shape = html`<circle cx="24" cy="24" r="21"></circle><path d="${strokes[sign]}"></path>`;
  return html`<svg class="sign ${sign}" width="48" height="48" aria-hidden="true" focusable="false">${shape}</svg>`;
}
