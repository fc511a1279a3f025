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
  /** Who runs the service. */
  operatorName: string;
  navigation: readonly NavigationGroup[];
}

export interface Page {
  /** Its own address, without a query. */
  address: string;
  title: string;
  body: HtmlValue;
  /** The width of the page: text, text beside samples, or cards without a navigation beside them. */
  shape: "guide" | "reference" | "start";
  /** What was searched for. */
  query?: string;
}

const sections = [
  { address: "/docs", title: "Guides" },
  { address: "/docs/reference", title: "Reference" },
  { address: "/docs/try", title: "Try it" },
];

export function renderPage(site: Site, { address, title, body, shape, query = "" }: Page): Html {
  const { operatorName } = site;
  const links = sections.map(
    (section) =>
      html`<li><a href="${section.address}"${section.address === findSection(address) && html` class="current"`}>${section.title}</a></li>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#10131a" media="(prefers-color-scheme: dark)">
<title>${title === operatorName ? title : `${title} · ${operatorName}`}</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
</head>
<body class="${shape}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><img src="${assets.icon.path}" alt="" width="26" height="26"><span>${operatorName}</span></a>
<nav aria-label="Sections"><ul>${links}</ul></nav>
<form class="search" role="search" action="/docs/search">
<label class="unseen" for="q">Search the documentation</label>
<input id="q" type="search" name="q" value="${query}" placeholder="Search" maxlength="200" autocomplete="off">
<button>Search</button>
</form>
${shape !== "start" && html`<button class="menu" type="button" popovertarget="menu">Menu</button>`}
</header>
<div class="frame">
${shape !== "start" && sideNavigation(site.navigation, address)}
<main id="content" tabindex="-1">
${body}
</main>
</div>
</body>
</html>
`;
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
