import { z } from "zod";
import { defineReader } from "../contract.ts";
import { payslipFields, toPayslip } from "./map-payslip.ts";
import { parsePayrunId, payrunPath, type PayrunName } from "./payrun-id.ts";
import { isBeingDeleted } from "./payruns.ts";
import { eachAtOnce, type RestClient } from "../kit/rest.ts";
import {
  byPage,
  openEmployer,
  parseStubs,
  requestsAtOnce,
  whatIsThere,
} from "./staffology-client.ts";
import { list, record, type Stub } from "./wire-values.ts";

const entriesOnPage = 200;
const payrunWithEntries = z.object({ entries: list });
const cursor = z.object({ after: z.string() });

/**
 * One request for each payslip, in the order of their ids: a read that is cut short goes on after the last one that was
 * kept. A supplementary run is read as the difference to the one before, so that both together are what was paid.
 */
export const payslips = defineReader<"payslips", object>({
  async *fetch(context, session, { payrunRemoteId }) {
    const { client, employerId, path } = openEmployer(context, session);
    const name = parsePayrunId(payrunRemoteId, employerId);
    // First, because an employer that is not there any more has none: its payslips are not removed.
    const payCodes = list.parse(await client.get(`${path}/paycodes`, { query: { verbose: true } }));
    const found = await listEntries(client, name);
    if (!found) return;
    const after = cursor.safeParse(context.cursor).data?.after ?? "";
    const left = found.ids.filter((id) => id > after);
    for (let start = 0; start < left.length; start += requestsAtOnce) {
      const next = left.slice(start, start + requestsAtOnce);
      const entries = await eachAtOnce(next, requestsAtOnce, (id) => readEntry(client, name, id));
      const records = entries
        .filter((entry) => entry !== null)
        .map((entry) => ({ ...entry, name, run: found.run, payCodes }));
      yield { records, cursor: { after: next.at(-1) } };
    }
  },
  table: payslipFields,
  map: toPayslip,
});

/** Undefined when the version does not exist any more, or is being deleted. */
async function listEntries(
  client: RestClient,
  name: PayrunName,
): Promise<{ run: unknown; ids: string[] } | undefined> {
  const { ordinal, version, isReversal } = name;
  const query = { ordinal, version, ...(isReversal && { rolledBackOnly: true }) };
  const path = payrunPath(name);
  const first = { ...query, pageNum: 0, pageSize: entriesOnPage };
  const run = await client.get(path, { query: first, ...whatIsThere });
  if (run === null || isBeingDeleted(run)) return undefined;
  const ids = new Set(toStubs(run).map(({ id }) => id));
  const others = { path, query, paging: byPage(entriesOnPage), items: toStubs };
  if (ids.size > 0)
    for await (const { items } of client.pages(others, { page: 1 }))
      for (const { id } of items as readonly Stub[]) ids.add(id);
  return { run, ids: [...ids].sort() };
}

function toStubs(run: unknown) {
  return parseStubs(payrunWithEntries.parse(run).entries);
}

/** Null when it is not there any more. */
async function readEntry(client: RestClient, name: PayrunName, id: string): Promise<object | null> {
  const { ordinal, version } = name;
  const query = { ordinal, ...(version > 1 && { differenceOnly: true }) };
  const found = await client.get(`${payrunPath(name)}/${id}`, { query, ...whatIsThere });
  return found === null ? null : record.parse(found);
}
