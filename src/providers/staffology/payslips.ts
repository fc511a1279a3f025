import { z } from "zod";
import { defineReader } from "../contract.ts";
import { toPayslip, type RawPayslip } from "./map-payslip.ts";
import { parsePayrunId, payrunPath, type PayrunName } from "./payrun-id.ts";
import { payrun } from "./payruns.ts";
import {
  inParallel,
  openEmployer,
  parseStubs,
  requestsAtOnce,
  type StaffologyClient,
} from "./staffology-client.ts";
import { list } from "./wire-values.ts";

const entriesOnPage = 200;
const payrunWithEntries = payrun.extend({ entries: list });
const cursor = z.object({ after: z.string() });

/**
 * One request for each payslip, in the order of their ids: a read that is cut short goes on after the last one that was
 * kept. A supplementary run is read as the difference to the one before, so that both together are what was paid.
 */
export const payslips = defineReader<"payslips", RawPayslip>({
  async *fetch(context, session, { payrunRemoteId = "" }) {
    const { client, employerId, path } = openEmployer(context, session);
    const name = parsePayrunId(payrunRemoteId, employerId);
    // First, because an employer that is not there any more has none: its payslips are not removed.
    const payCodes = list.parse(await client.get(`${path}/paycodes`, { verbose: true }));
    const found = await listEntries(client, name);
    if (!found) return;
    const after = cursor.safeParse(context.cursor).data?.after ?? "";
    const left = found.ids.filter((id) => id > after);
    for (let start = 0; start < left.length; start += requestsAtOnce) {
      const next = left.slice(start, start + requestsAtOnce);
      const entries = await inParallel(next, (id) => readEntry(client, name, id));
      const records = entries
        .filter((entry) => entry !== undefined)
        .map((entry) => ({ name, run: found.run, payCodes, entry }));
      yield { records, cursor: { after: next.at(-1) } };
    }
  },
  map: toPayslip,
});

/** Undefined when the version does not exist any more, or is being deleted. */
async function listEntries(
  client: StaffologyClient,
  name: PayrunName,
): Promise<{ run: unknown; ids: string[] } | undefined> {
  const { ordinal, version, isReversal } = name;
  const query = { ordinal, version, ...(isReversal && { rolledBackOnly: true }) };
  const path = payrunPath(name);
  const first = { ...query, pageNum: 0, pageSize: entriesOnPage };
  const run = await client.getUnless([404], path, first);
  if (run === undefined || payrun.parse(run).state === "Deleting") return undefined;
  const ids = new Set(toStubs(run).map(({ id }) => id));
  const others = client.pages({ path, query, pageSize: entriesOnPage, toStubs }, 1);
  if (ids.size > 0) for await (const { stubs } of others) for (const { id } of stubs) ids.add(id);
  return { run, ids: [...ids].sort() };
}

function toStubs(run: unknown) {
  return parseStubs(payrunWithEntries.parse(run).entries);
}

/** Undefined when it is not there any more. */
async function readEntry(client: StaffologyClient, name: PayrunName, id: string): Promise<unknown> {
  const { ordinal, version } = name;
  const query = { ordinal, ...(version > 1 && { differenceOnly: true }) };
  return client.getUnless([404], `${payrunPath(name)}/${id}`, query);
}
