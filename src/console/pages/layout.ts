import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { assets } from "../assets.ts";
import type { Viewer } from "../viewer.ts";

export const consolePath = "/console";

export interface Page {
  title: string;
  /** A sentence below the title. */
  lead?: HtmlValue;
  body: HtmlValue;
  /** Undefined before the sign-in. */
  viewer?: Viewer | undefined;
  section?: Section | undefined;
  /** With a script, the content is looked at again in place. */
  isLive?: boolean;
  /** The address of a script of this page alone. */
  script?: string;
}

/** In the order of the navigation. Developers do not see the last one. */
const sectionTitles = {
  overview: "Overview",
  problems: "Problems",
  connections: "Connections",
  reads: "Reads",
  webhooks: "Webhooks",
  clients: "Clients",
  providers: "Providers",
  try: "Try",
  audit: "Audit",
  system: "System",
} as const;

type Section = keyof typeof sectionTitles;

export function addressOf(section: Section): string {
  return section === "overview" ? consolePath : `${consolePath}/${section}`;
}

export function renderPage({
  title,
  lead,
  body,
  viewer,
  section,
  isLive = false,
  script,
}: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f3f4f8" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#10131a" media="(prefers-color-scheme: dark)">
<meta name="robots" content="noindex">
<title>${title} · Rollcall console</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
<script src="${assets.script.path}" defer></script>
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body class="${viewer ? "inside" : "outside"}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<p class="brand"><img src="${assets.icon.path}" alt="" width="28" height="28"><span>Rollcall console</span></p>
${viewer && renderViewer(viewer)}
</header>
${viewer && renderNavigation(viewer, section)}
<main id="content" tabindex="-1"${isLive && html` data-live`}>
<h1>${title}</h1>
${lead !== undefined && html`<p class="lead">${lead}</p>`}
${body}
</main>
</body>
</html>
`;
}

function renderViewer({ clientId, name, formToken }: Viewer): Html {
  const kind = clientId === undefined ? "Operator" : "Developer";
  return html`<div class="viewer"><p><span class="soft">${kind}</span> <bdi>${name}</bdi></p>
<form method="post" action="${consolePath}/sign-out">
<input type="hidden" name="form_token" value="${formToken}">
<button class="quiet">Sign out</button></form></div>`;
}

function renderNavigation({ clientId }: Viewer, current: Section | undefined): Html {
  const all = Object.entries(sectionTitles) as [Section, string][];
  const shown = clientId === undefined ? all : all.slice(0, -1);
  const links = shown.map(
    ([section, title]) =>
      html`<li><a href="${addressOf(section)}"${section === current && html` aria-current="page"`}>${title}</a></li>`,
  );
  return html`<nav class="sections" aria-label="Sections"><ul>${links}</ul></nav>`;
}
