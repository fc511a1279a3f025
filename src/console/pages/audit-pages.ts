import type { Audit, verifyRecord } from "../../audit/index.ts";
import { html, type Html } from "../../platform/html/index.ts";
import { audit as words } from "../texts/audit.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import {
  action,
  actions,
  facts,
  list,
  nextPage,
  number,
  section,
  time,
  withQuery,
} from "./pieces.ts";

type AuditEntry = Awaited<ReturnType<Audit["list"]>>[number];
type Verification = Awaited<ReturnType<typeof verifyRecord>>;

export const auditPath = `${consolePath}/audit`;
const command = html`<code>npx rollcall audit verify</code>`;
const mostFindings = 50;

export function auditPage(
  viewer: Viewer,
  {
    entries,
    client,
    next,
  }: { entries: readonly AuditEntry[]; client: string | undefined; next: string | undefined },
): Html {
  const isOperator = viewer.clientId === undefined;
  const rows = entries.map((entry) => renderEntry(entry, isOperator));
  const body = html`${isOperator && client !== undefined && html`<p><a class="button" href="${auditPath}">${words.all}</a></p>`}
${list(rows, words.empty)}${nextPage(next && withQuery(auditPath, { client, before: next }))}
${
  isOperator &&
  section(
    words.proof,
    html`<p class="soft">${words.explain} <code>npx rollcall audit verify --checkpoint</code>.</p>`,
    actions(
      action(viewer, { address: `${auditPath}/verify`, label: words.verify }),
      action(viewer, { address: `${auditPath}/export`, label: words.export }),
    ),
  )
}`;
  return renderPage({ title: words.title, lead: words.lead, body, viewer, section: "audit" });
}

function renderEntry(
  { id, at, action: did, clientId, tokenId, detail }: AuditEntry,
  isOperator: boolean,
) {
  return {
    title: did,
    facts: [
      time(at),
      html`${words.entry} ${id}`,
      isOperator && clientId !== null
        ? html`${words.client} <a href="${withQuery(auditPath, { client: clientId })}"><code>${clientId}</code></a>`
        : undefined,
      tokenId === null ? undefined : html`${words.token} <code>${tokenId}</code>`,
      ...Object.entries(detail).map(
        ([name, value]) => `${name.replaceAll("_", " ")} ${describeValue(value)}`,
      ),
    ],
  };
}

function describeValue(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === "string" ? value : JSON.stringify(value);
  return value.length > 6 ? `${value.length}` : value.join(", ");
}

/** What was found in the record; undefined for one that is too long for a page. */
export function verificationPage(viewer: Viewer, found: Verification | undefined): Html {
  const body = html`${found === undefined ? html`<p class="notice warn" role="status">${words.large} ${command}.</p>` : renderFound(found)}
<p><a class="button" href="${auditPath}">${words.back}</a></p>`;
  return renderPage({ title: words.proof, body, viewer, section: "audit" });
}

function renderFound(found: Verification): Html {
  const { findings, findingsInAll, linked, unlinked, withoutMac } = found;
  const isGood = findingsInAll === 0;
  const shown = findings.slice(0, mostFindings);
  const rest = findingsInAll - shown.length;
  return html`<p class="notice ${isGood ? "good" : "bad"}" role="status">${isGood ? words.verified : words.found}.</p>
${facts([
  [words.facts.linked, number(linked)],
  [words.facts.unlinked, number(unlinked)],
  [words.facts.withoutMac, number(withoutMac)],
])}
${
  !isGood &&
  list(
    shown.map(({ message }) => ({ title: message })),
    "",
  )
}
${rest > 0 && html`<p>${number(rest)} ${words.more} ${command}.</p>`}`;
}
