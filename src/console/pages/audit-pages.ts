import type { Audit, verifyRecord } from "../../audit/index.ts";
import { html, type Html } from "../../platform/html/index.ts";
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
const tooLong = html`<p class="notice warn" role="status">The record is too long to be verified while a page waits. Use ${command}.</p>`;
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
  const body = html`${isOperator && client !== undefined && html`<p><a class="button" href="${auditPath}">Entries of all clients</a></p>`}
${list(rows, "There is no entry.")}${nextPage(next && withQuery(auditPath, { client, before: next }))}
${
  isOperator &&
  section(
    "Is it as it was written?",
    html`<p class="soft">All entries are read, and what was changed, added or deleted is listed. An older copy of
the whole record is found with a checkpoint alone that was kept elsewhere: keep the export, and give it to <code>npx rollcall audit verify --checkpoint</code>.</p>`,
    actions(
      action(viewer, { address: `${auditPath}/verify`, label: "Verify the record" }),
      action(viewer, { address: `${auditPath}/export`, label: "Export the record" }),
    ),
  )
}`;
  return renderPage({
    title: "Audit",
    lead: "Every change of clients, secrets, tokens, connections and keys, the newest first, and who asked for it.",
    body,
    viewer,
    section: "audit",
  });
}

function renderEntry(
  { id, at, action: did, clientId, tokenId, detail }: AuditEntry,
  isOperator: boolean,
) {
  return {
    title: did,
    facts: [
      time(at),
      html`entry ${id}`,
      isOperator && clientId !== null
        ? html`client <a href="${withQuery(auditPath, { client: clientId })}"><code>${clientId}</code></a>`
        : undefined,
      tokenId === null ? undefined : html`token <code>${tokenId}</code>`,
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
  const body = html`${found === undefined ? tooLong : renderFound(found)}
<p><a class="button" href="${auditPath}">Back to the record</a></p>`;
  return renderPage({ title: "Is it as it was written?", body, viewer, section: "audit" });
}

function renderFound(found: Verification): Html {
  const { findings, findingsInAll, linked, unlinked, withoutMac } = found;
  const isGood = findingsInAll === 0;
  const shown = findings.slice(0, mostFindings);
  const rest = findingsInAll - shown.length;
  return html`<p class="notice ${isGood ? "good" : "bad"}" role="status">The record is ${!isGood && "not "}as it was written.</p>
${facts([
  ["Linked entries", number(linked)],
  ["Entries that are not linked yet", number(unlinked)],
  ["Entries of an earlier version, without a proof", number(withoutMac)],
])}
${
  !isGood &&
  list(
    shown.map(({ message }) => ({ title: message })),
    "",
  )
}
${rest > 0 && html`<p>${number(rest)} more findings. All are listed by ${command}.</p>`}`;
}
