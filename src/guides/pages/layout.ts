import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { assets } from "../assets.ts";

interface NavigationLink {
  address: string;
  title: string;
  /** Of an operation of the API. */
  method?: string;
}

export interface NavigationGroup {
  title: string;
  links: readonly NavigationLink[];
}

/** What all pages have in common. */
export interface Site {
  /** Who runs the service. Undefined when nobody is named. */
  operatorName: string | undefined;
  navigation: readonly NavigationGroup[];
}

export interface Page {
  /** Its own address, without a query. */
  address: string;
  title: string;
  body: HtmlValue;
  /** The width of the page: text, text beside samples, or cards without a navigation beside them. */
  shape: "guide" | "reference" | "start";
  /** What it runs besides the scripts of all pages. */
  script?: { path: string };
  /** What was searched for. */
  query?: string;
}

const sections = [
  { address: "/docs", title: "Guides" },
  { address: "/docs/reference", title: "Reference" },
];

/** `Rollcall, operated by Acme GmbH` */
export function nameOfService(operatorName: string | undefined): string {
  return operatorName === undefined ? "Rollcall" : `Rollcall, operated by ${operatorName}`;
}

export function renderPage(
  site: Site,
  { address, title, body, shape, script, query = "" }: Page,
): Html {
  const { operatorName } = site;
  const operator = operatorName && html` <span class="operator">operated by ${operatorName}</span>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#10131a" media="(prefers-color-scheme: dark)">
<title>${title} · ${nameOfService(operatorName)} · API documentation</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
<script type="module" src="${assets.script.path}"></script>
<script type="module" src="${assets.search.path}"></script>${
    script &&
    html`
<script type="module" src="${script.path}"></script>`
  }
</head>
<body class="${shape}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><img src="${assets.icon.path}" alt="" width="26" height="26"><span class="name"><strong>Rollcall</strong>${operator}</span></a>
<nav class="sections" aria-label="Sections"><ul>${sectionLinks(address)}</ul></nav>
<form class="search" role="search" action="/docs/search">
<label class="unseen" for="q">Search the documentation</label>
<input id="q" type="search" name="q" value="${query}" placeholder="Search" maxlength="200" autocomplete="off">
<button>Search</button>
</form>
<button class="menu" type="button" popovertarget="menu">Menu</button>
</header>
<div class="frame">
${sideNavigation(site.navigation, address)}
<main id="content" tabindex="-1">
${body}
</main>
</div>
</body>
</html>
`;
}

function sectionLinks(address: string): Html[] {
  const current = findSection(address);
  return sections.map(
    (section) =>
      html`<li><a href="${section.address}"${section.address === current && html` class="current"`}>${section.title}</a></li>`,
  );
}

function findSection(address: string): string | undefined {
  if (!address.startsWith("/docs")) return undefined;
  return address.startsWith("/docs/reference") ? "/docs/reference" : "/docs";
}

/** A popover where the page is narrow, and a column of its own where it is wide. */
function sideNavigation(groups: readonly NavigationGroup[], address: string): Html {
  const open =
    groups.find(({ links }) => links.some((link) => link.address === address)) ?? groups[0];
  return html`<nav class="side" id="menu" popover aria-label="Documentation">
<button class="close" type="button" popovertarget="menu" popovertargetaction="hide">Close the menu</button>
<ul class="sections">${sectionLinks(address)}</ul>
${groups.map((group) => navigationGroup(group, address, group === open))}
</nav>`;
}

/** Only the group of the page is open, so that the page's own entry is in sight without a script. */
function navigationGroup(
  { title, links }: NavigationGroup,
  address: string,
  isOpen: boolean,
): Html {
  const items = links.map((link) => {
    const current = link.address === address && html` aria-current="page"`;
    const method =
      link.method && html` <span class="method ${link.method.toLowerCase()}">${link.method}</span>`;
    return html`<li><a href="${link.address}"${current}><span>${link.title}</span>${method}</a></li>`;
  });
  return html`<details${isOpen && html` open`}><summary>${title}</summary>
<ul>${items}</ul></details>`;
}
