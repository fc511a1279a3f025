import { recordsAt } from "../kit/paging.ts";
import { text } from "../kit/readers.ts";
import { RequestRefused, type RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { endsWith, toRecord, type BambooRecord } from "./client.ts";
import { personNames } from "./employee-fields.ts";

/** The field with the id that tables and paths have. `employeeNumber` can be changed by everybody. */
export const idField = "eeid";

/**
 * What the dataset calls that which the list of employees calls otherwise. Companies differ: of several names the first
 * counts that the company has. Ids beside names are on the list alone.
 */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  employeeId: [idField],
  workEmail: ["email", "workEmail"],
  homeEmail: ["homeEmail", "personalEmail"],
  mobilePhone: ["mobilePhone", "mobilePhoneNumber"],
  birthDate: ["dateOfBirth", "birthDate"],
  maritalStatus: ["maritalStatus", "marital"],
  address1: ["addressLineOne", "address1"],
  address2: ["addressLineTwo", "address2"],
  zipcode: ["zipcode", "zipCode"],
  jobTitleName: ["jobInformationJobTitle", "jobTitle"],
  departmentId: [],
  departmentName: ["jobInformationDepartment", "department"],
  divisionId: [],
  divisionName: ["jobInformationDivision", "division"],
  locationId: [],
  locationName: ["jobInformationLocation", "location"],
  employmentStatusName: ["employmentStatus"],
  reportsToId: ["supervisorEid"],
  reportsToName: ["jobInformationReportsTo", "supervisor"],
};

const datasetNamesOf = (name: string): readonly string[] => otherNames[name] ?? [name];

/** What the company has of people, in the fields that the account may ask for. */
export interface DatasetFields {
  /** By the names of the list, those of the dataset. */
  names: ReadonlyMap<string, string>;
  /** Fields that the company added, by the names that the account reads in BambooHR. */
  custom: readonly { name: string; label: string }[];
}

const field = defineSource({ name: text, label: text });

export const fieldsPath = "/api/v1_2/datasets/employee/fields";

/** BambooHR refuses a request for any other field. */
export async function readDatasetFields(client: RestClient): Promise<DatasetFields> {
  const found = await client.all({
    path: fieldsPath,
    paging: {
      by: "page",
      parameter: "page",
      size: ["page_size", largestPage],
      isLast: endsWith(({ pagination }) => toRecord(pagination)["total_pages"]),
    },
    items: recordsAt("fields"),
  });
  const fields = found.flatMap((one) => {
    const name = field.read(one, "name");
    return name === null ? [] : [{ name, label: field.read(one, "label") ?? name }];
  });
  const known = new Set(fields.map(({ name }) => name));
  const names = personNames.flatMap((name) => {
    const chosen = datasetNamesOf(name).find((other) => known.has(other));
    return chosen === undefined ? [] : [[name, chosen] as const];
  });
  const custom = fields.filter(({ name }) => name.startsWith("custom"));
  return { names: new Map(names), custom };
}

/** The names that a row of the list or of the dataset marks as not for the account. */
export function listMarked(row: BambooRecord, { custom }: Pick<DatasetFields, "custom">): string[] {
  const marked = row["_restrictedFields"];
  if (!Array.isArray(marked)) return [];
  return marked.flatMap((mark: unknown) => {
    if (custom.some(({ name }) => name === mark)) return ["customFields"];
    return personNames.filter((name) =>
      [name, ...datasetNamesOf(name)].some((one) => one === mark),
    );
  });
}

const largestPage = 1_000;
const smallestPage = 10;
/** A filter of so many ids is short enough. */
const mostIds = 100;

/**
 * The rows of everybody, or of these people. A filter by id loses nobody: everybody who sees a row sees its id. Other
 * filters lose the rows whose field is not for the account.
 */
export async function readDataset(
  client: RestClient,
  fields: readonly string[],
  ids?: readonly string[],
): Promise<BambooRecord[]> {
  if (!ids) return await readRows(client, { fields });
  const rows: BambooRecord[] = [];
  for (let start = 0; start < ids.length; start += mostIds) {
    const some = ids.slice(start, start + mostIds).map((id) => `'${id}'`);
    rows.push(...(await readRows(client, { fields, filter: `${idField} in (${some.join(",")})` })));
  }
  return rows;
}

/** In smaller pages where BambooHR finds that it is too much. */
async function readRows(
  client: RestClient,
  json: object,
  pageSize = largestPage,
): Promise<BambooRecord[]> {
  try {
    const rows = await client.all({
      path: "/api/v2/datasets/employee/data",
      method: "POST",
      isIdempotent: true,
      json,
      paging: {
        by: "page",
        parameter: "page",
        size: ["pageSize", pageSize],
        isInBody: true,
        isLast: endsWith(({ meta }) => toRecord(meta)["totalPages"]),
      },
      items: (body) => recordsAt("data")(body).map(toRow),
      idOf: (row) => toRecord(row)[idField],
    });
    return rows as BambooRecord[];
  } catch (error) {
    const isTooMuch = error instanceof RequestRefused && error.status === 413;
    if (!isTooMuch || pageSize < smallestPage * 2) throw error;
    return await readRows(client, json, Math.floor(pageSize / 2));
  }
}

/** The mark of what is not for the account stands beside the fields or among them. */
function toRow(row: BambooRecord): BambooRecord {
  const fields = toRecord(row["fields"]);
  return { ...fields, _restrictedFields: row["_restrictedFields"] ?? fields["_restrictedFields"] };
}
