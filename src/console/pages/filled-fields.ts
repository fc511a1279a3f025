import { fieldsToSwitch, fieldsWithout } from "../../model/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { FilledList } from "../../sync/index.ts";
import { number, time } from "./pieces.ts";

/** What is filled of a resource of a connection. */
export interface ShownFields {
  list: FilledList;
  /** Fields that the adapter never gives. */
  neverGiven: readonly string[];
}

const uncounted = fieldsWithout(fieldsToSwitch).join(", ");

/** How many records of the newest list have each field. */
export function renderFilled(shown: ShownFields | undefined): HtmlValue {
  if (shown === undefined) return undefined;
  const { resource, fetchedAt, filled } = shown.list;
  if (filled === null)
    return html`<p class="soft">What is filled isn’t known: it is counted when the list is read again.</p>`;
  const { records, fields } = filled;
  const rows = Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => renderField(name, count, records, shown));
  const has = Object.values(fields).filter((count) => count !== "none").length;
  const all = Object.keys(fields).length;
  return html`<details class="filled"><summary>What is filled: ${has} of ${all} fields</summary>
<p class="soft">Of the newest list, read ${time(fetchedAt)}.${resource === "employees" && html` Never counted: ${uncounted}.`}</p>
<table><thead><tr><th scope="col">Field</th><th scope="col">Records that have it</th></tr></thead>
<tbody>${rows}</tbody></table></details>`;
}

function renderField(
  name: string,
  count: number | "some" | "none",
  records: number,
  shown: ShownFields,
): Html {
  const reason = findReason(name, shown);
  return html`<tr><th scope="row"><code>${name}</code></th><td>${
    typeof count === "number" &&
    html`<meter min="0" max="${records}" value="${count}" aria-hidden="true"></meter> `
  }${describeCount(count, records)}${reason !== undefined && html` <span class="soft">${reason}</span>`}</td></tr>`;
}

function describeCount(count: number | "some" | "none", records: number): Html | string {
  return typeof count === "number"
    ? html`<span class="together">${number(count)} of ${number(records)}</span>`
    : count === "some"
      ? "some, fewer than ten"
      : "none";
}

/** Why a field is missing. An id of ours is missing where the provider's is. */
function findReason(
  name: string,
  { list: { limited, filled }, neverGiven }: ShownFields,
): string | undefined {
  const [field = name] = name.split(".");
  if (limited.includes(field) || limited.includes(name)) return "the account may not read it";
  const isMissing = filled?.fields[name] === "none";
  const isNeverGiven =
    neverGiven.includes(field) || neverGiven.includes(field.replace(/id$/, "remote_id"));
  return isMissing && isNeverGiven ? "the provider doesn’t give it" : undefined;
}
