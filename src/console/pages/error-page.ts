import { html, type Html } from "../../platform/html/index.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";

const errors = {
  missing: ["There’s nothing here", "It doesn’t exist, was deleted, or isn’t yours."],
  form: [
    "This form wasn’t sent",
    "It has to come from a page of the console that your browser opened itself. Go back, load the page again, and repeat it. Nothing was changed.",
  ],
  invalid: ["That can’t be done", ""],
  forbidden: ["That can’t be done", ""],
  tooMany: [
    "One moment, please",
    "There were too many requests from your network. Try again in a minute.",
  ],
  unavailable: [
    "The database can’t be reached",
    "The service tries again by itself. Load this page again in a moment.",
  ],
  server: [
    "Something went wrong on our side",
    "The log of the service has a line with this reference.",
  ],
} as const;

export type ErrorKind = keyof typeof errors;

export function errorPage(
  kind: ErrorKind,
  {
    reference,
    viewer,
    detail,
  }: { reference: string; viewer: Viewer | undefined; detail?: string | undefined },
): Html {
  const [title, sentence] = errors[kind];
  const body = html`<p>${detail ?? sentence}</p>
<p><a class="button" href="${consolePath}">To the overview</a></p>
<p class="soft">Reference: <bdi>${reference}</bdi></p>`;
  return renderPage({ title, body, viewer });
}
