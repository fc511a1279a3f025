import { html, type Html } from "../../platform/html/index.ts";
import { texts } from "../texts/shared.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";

export type ErrorKind = "missing" | "form" | "invalid" | "tooMany" | "unavailable" | "server";

export function errorPage(
  kind: ErrorKind,
  {
    reference,
    viewer,
    detail,
  }: { reference: string; viewer: Viewer | undefined; detail?: string | undefined },
): Html {
  const [title, sentence] = texts.errors[kind];
  const body = html`<p>${detail ?? sentence}</p>
<p><a class="button" href="${consolePath}">${texts.errors.back}</a></p>
<p class="soft">${texts.errors.reference}<bdi>${reference}</bdi></p>`;
  return renderPage({ title, body, viewer });
}
