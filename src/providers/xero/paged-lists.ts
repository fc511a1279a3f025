import type { ReadContext } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { toNumber, toRecord, toRecords, type XeroRecord } from "./field-values.ts";
import { findPayroll, readPayroll, type XeroAnswer } from "./xero-client.ts";

interface ListPage {
  records: XeroRecord[];
  /** How many records all pages have; null when Xero does not say it. */
  itemCount: number | null;
  dayRequestsLeft: number | undefined;
}

interface ListRequest {
  path: string;
  /** The field of the answer that has the records. */
  field: string;
  query?: Readonly<Record<string, string>>;
}

const pageSize = 100;

export async function* readPages(
  context: ReadContext,
  { path, field, query = {} }: ListRequest,
): AsyncGenerator<ListPage> {
  yield* askPages(field, async (page) => await readPayroll(context, path, { ...query, page }));
}

export async function readAll(context: ReadContext, request: ListRequest): Promise<XeroRecord[]> {
  return await collect(readPages(context, request));
}

/** A list of one record, which is mostly on one page. Empty where there is no such path. */
export async function readListOf(
  context: ReadContext,
  { path, field }: Pick<ListRequest, "path" | "field">,
): Promise<XeroRecord[]> {
  const first = await findPayroll(context, path);
  if (!first) return [];
  const ask = async (page: number): Promise<XeroAnswer> =>
    page === 1 ? first : await readPayroll(context, path, { page });
  return await collect(askPages(field, ask));
}

/** Pages of 100, until the answer names no later one. */
async function* askPages(
  field: string,
  ask: (page: number) => Promise<XeroAnswer>,
): AsyncGenerator<ListPage> {
  for (let page = 1; ; page += 1) {
    const { body, dayRequestsLeft } = await ask(page);
    const records = listOf(body, field);
    const pagination = toRecord(body["pagination"]);
    yield { records, itemCount: toNumber(pagination, "itemCount"), dayRequestsLeft };
    if (page >= countPages(pagination, records)) return;
    if (records.length === 0) throw new ProviderBug("Xero names pages after an empty one");
  }
}

/** A full page of a list that does not say how many there are may be one of several. */
function countPages(pagination: XeroRecord | null, { length }: readonly XeroRecord[]): number {
  const count = pagination?.["pageCount"] ?? (length < pageSize ? 1 : undefined);
  if (typeof count !== "number")
    throw new ProviderBug("Xero does not say how many pages there are");
  return count;
}

async function collect(pages: AsyncIterable<ListPage>): Promise<XeroRecord[]> {
  const all: XeroRecord[] = [];
  for await (const { records } of pages) all.push(...records);
  return all;
}

/** Throws for a missing list, which is not an empty one: people would look as if they had left. */
function listOf(body: XeroRecord, field: string): XeroRecord[] {
  const list = body[field];
  if (!Array.isArray(list)) throw new ProviderBug(`Xero answered without ${field}`);
  return toRecords(list);
}
