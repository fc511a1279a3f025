import type { ListedConnection, ListedState } from "../../connections/index.ts";
import { html, type Html } from "../../platform/html/index.ts";
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

/** By these the list can be filtered. */
const states: Readonly<Record<ListedState, string>> = {
  refused: "Sign-in ended",
  forbidden: "Rights missing",
  limited: "Fields hidden",
};

export function isListedState(value: string | undefined): value is ListedState {
  return value !== undefined && Object.hasOwn(states, value);
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
        html`since ${time(connection.createdAt)}`,
      ],
    };
  });
  const empty = Object.values(search).some(Boolean)
    ? "No connection is like that."
    : "There is no connection yet. It begins with a sign-in link.";
  const body = html`${renderSearch(viewer, page)}${problem === undefined ? list(entries, empty) : refusal(problem)}
${nextPage(next && withQuery(path, { ...search, before: next }))}`;
  return renderPage({
    title: "Connections",
    lead: "The accounts that end users have linked, the newest first.",
    body,
    viewer,
    section: "connections",
  });
}

function statePill({
  authFailure,
  forbidden,
}: Pick<ListedConnection, "authFailure" | "forbidden">): Html {
  if (authFailure !== null) return pill(states.refused, "bad");
  return forbidden.length > 0 ? pill(states.forbidden, "warn") : pill("Active", "good");
}

function renderSearch(viewer: Viewer, { search, providers, clients }: ListedPage): Html {
  return html`<form method="get" action="${path}" class="search" role="search" aria-label="Connections">
${input("q", "Token id or reference", { value: search.q, attributes: html` autocapitalize="none" spellcheck="false"` })}
${viewer.clientId === undefined && select("client", "Client", { choices: [any("All clients"), ...clients], chosen: search.client })}
${select("provider", "Provider", { choices: [any("All providers"), ...providers], chosen: search.provider })}
${select("state", "State", {
  choices: [
    any("All states"),
    ...Object.entries(states).map(([value, label]) => ({ value, label })),
  ],
  chosen: search.state,
})}
<button>Search</button></form>`;
}

function any(label: string): Choice {
  return { value: "", label };
}
