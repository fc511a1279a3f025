import { TooMuchData, type BambooClient } from "./bamboohr-client.ts";
import {
  hasMorePages,
  requireRecords,
  toRecord,
  toText,
  type BambooRecord,
} from "./field-values.ts";

/** A field of the dataset of employees. */
export interface DatasetField {
  name: string;
  label: string;
}

/** The field with the id that tables and paths have. `employeeNumber` can be changed by everybody. */
export const idField = "eeid";

const largestPage = 1_000;
const smallestPage = 10;
/** A filter of so many ids is short enough. */
const mostIds = 100;

/** The fields that the company has and the account may ask for. BambooHR refuses a request for any other. */
export async function readDatasetFields(client: BambooClient): Promise<DatasetField[]> {
  const fields: DatasetField[] = [];
  for (let page = 1; ; page += 1) {
    const answer = toRecord(
      await client.ask({
        path: "/api/v1_2/datasets/employee/fields",
        query: { page, page_size: largestPage },
      }),
    );
    const found = requireRecords(answer["fields"], "the fields of the dataset");
    for (const { name, label } of found) {
      const text = toText(name);
      if (text !== null) fields.push({ name: text, label: toText(label) ?? text });
    }
    const { total_pages: count } = toRecord(answer["pagination"]);
    if (!hasMorePages(count, { pages: page, records: found.length })) return fields;
  }
}

/**
 * The rows, page by page. A filter by id loses nobody: everybody who sees a row sees its id. Other filters lose the
 * rows whose field is not for the account.
 */
export async function readDataset(
  client: BambooClient,
  names: readonly string[],
  ids?: readonly string[],
): Promise<BambooRecord[][]> {
  if (!ids) return await readPages(client, names);
  const pages: BambooRecord[][] = [];
  for (let start = 0; start < ids.length; start += mostIds) {
    const some = ids.slice(start, start + mostIds).map((id) => `'${id}'`);
    pages.push(...(await readPages(client, names, `${idField} in (${some.join(",")})`)));
  }
  return pages;
}

async function readPages(
  client: BambooClient,
  names: readonly string[],
  filter?: string,
): Promise<BambooRecord[][]> {
  for (let pageSize = largestPage; ; pageSize = Math.floor(pageSize / 2)) {
    try {
      return await readPagesOf(client, { fields: names, ...(filter && { filter }) }, pageSize);
    } catch (error) {
      if (!(error instanceof TooMuchData) || pageSize < smallestPage * 2) throw error;
    }
  }
}

async function readPagesOf(
  client: BambooClient,
  body: { fields: readonly string[]; filter?: string },
  pageSize: number,
): Promise<BambooRecord[][]> {
  const pages: BambooRecord[][] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = toRecord(
      await client.ask({
        path: "/api/v2/datasets/employee/data",
        json: { ...body, page, pageSize },
      }),
    );
    const rows = requireRecords(data, "the dataset of employees").map(toRow);
    pages.push(rows);
    const { totalPages: count } = toRecord(meta);
    if (!hasMorePages(count, { pages: page, records: rows.length })) return pages;
  }
}

/** The mark of what is not for the account stands beside the fields or among them. */
function toRow(row: BambooRecord): BambooRecord {
  const fields = toRecord(row["fields"]);
  return { ...fields, _restrictedFields: row["_restrictedFields"] ?? fields["_restrictedFields"] };
}
