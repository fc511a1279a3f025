import type { ListedConnection, ListedState } from "../../connections/index.ts";
import { html, type Html } from "../../platform/html/index.ts";
import { connections as words } from "../texts/connections.ts";
import { texts } from "../texts/shared.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import {
  input,
  list,
  nextPage,
  pill,
  refusal,
  select,
  time,
  withQuery,
  type Choice,
} from "./pieces.ts";
import type { Names } from "./problems-page.ts";

const path = `${consolePath}/connections`;

export function isListedState(value: string | undefined): value is ListedState {
  return value !== undefined && Object.hasOwn(words.listedStates, value);
}

export interface ConnectionSearch {
  q?: string | undefined;
  client?: string | undefined;
  provider?: string | undefined;
  state?: ListedState | undefined;
}

export interface ListedPage {
  found: readonly (ListedConnection & { reference: string | null })[];
  search: ConnectionSearch;
  next: string | undefined;
  /** Why nothing was looked for. */
  problem: string | undefined;
  providers: readonly Choice[];
  clients: readonly Choice[];
}

export function connectionsPage(viewer: Viewer, page: ListedPage, names: Names): Html {
  const { found, search, next, problem } = page;
  const entries = found.map((connection) => {
    const { tokenId, provider, mode, reference, clientId } = connection;
    const client = viewer.clientId === undefined ? names.client(clientId) : undefined;
    return {
      title: html`${names.system(provider)}${reference !== null && html` · <bdi>${reference}</bdi>`}`,
      href: `${path}/${tokenId}`,
      pills: statePill(connection),
      facts: [
        client && html`<bdi>${client}</bdi>`,
        mode,
        html`<code>${tokenId}</code>`,
        html`${texts.since} ${time(connection.createdAt)}`,
      ],
    };
  });
  const empty = Object.values(search).some(Boolean) ? words.noneFound : words.none;
  const body = html`${renderSearch(viewer, page)}${problem === undefined ? list(entries, empty) : refusal(problem)}
${nextPage(next && withQuery(path, { ...search, before: next }))}`;
  return renderPage({
    title: words.title,
    lead: words.lead,
    body,
    viewer,
    section: "connections",
  });
}

function statePill({
  authFailure,
  forbidden,
}: Pick<ListedConnection, "authFailure" | "forbidden">): Html {
  if (authFailure !== null) return pill(words.listedStates.refused, "bad");
  return forbidden.length > 0
    ? pill(words.listedStates.forbidden, "warn")
    : pill(words.active, "good");
}

function renderSearch(viewer: Viewer, { search, providers, clients }: ListedPage): Html {
  const said = words.search;
  return html`<form method="get" action="${path}" class="search" role="search" aria-label="${words.title}">
${input("q", said.q, { value: search.q, attributes: html` autocapitalize="none" spellcheck="false"` })}
${viewer.clientId === undefined && select("client", said.client, { choices: [any(said.allClients), ...clients], chosen: search.client })}
${select("provider", said.provider, { choices: [any(said.allProviders), ...providers], chosen: search.provider })}
${select("state", said.state, {
  choices: [
    any(said.allStates),
    ...Object.entries(words.listedStates).map(([value, label]) => ({ value, label })),
  ],
  chosen: search.state,
})}
<button>${said.submit}</button></form>`;
}

function any(label: string): Choice {
  return { value: "", label };
}
