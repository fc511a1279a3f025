import { defineReader } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import type { Domain, OdooRecord } from "./client.ts";
import { readContracts, readContractTypes } from "./contracts.ts";
import { readAddedFields } from "./custom-fields.ts";
import { employeeFields, toEmployee, type RawEmployee } from "./employee-fields.ts";
import { openEmployees, type OpenedEmployees } from "./open-employees.ts";
import { department } from "./organization.ts";
import { idAt } from "./values.ts";
import {
  openLook,
  openWatch,
  planWatch,
  readAbsentIds,
  readDigests,
  type Watch,
} from "./watch-employees.ts";

/** More of them are read with everybody. */
const mostReadByIds = 200;

export const employees = defineReader<"employees", RawEmployee>({
  async *fetch(context, session) {
    const opened = await openEmployees(context, session);
    const { odoo, today, isLeaveTold } = opened;
    const watch = await planWatch(opened);
    if (watch) context.continueFrom({ ...watch, seen: null });
    const absentIds = isLeaveTold ? await readAbsentIds(odoo, today) : null;
    yield* readPeople(opened, absentIds ?? new Set());
  },
  async *changes(context, session, since) {
    const { watch, seen: before } = openWatch(since, context.clock.now());
    const look = await openLook(context, session, watch);
    const seen: Record<string, string> = {};
    for await (const digests of readDigests(look, watch)) {
      Object.assign(seen, digests);
      // So that the host sees that it goes on.
      yield { changed: [] };
    }
    context.continueFrom({ ...watch, seen });
    const present = Object.keys(seen);
    const changed = present.filter((id) => before?.[id] !== seen[id]);
    const isAnyoneGone = before !== null && Object.keys(before).some((id) => !(id in seen));
    if (changed.length === 0 && !isAnyoneGone) return;
    // What was withdrawn would look like changes and deletions.
    const opened = await openEmployees(context, session);
    if (!isSame(watch, await planWatch(opened)))
      throw new OperationNotSupported("other things may be read than before");
    const isEverybody = before === null || changed.length > mostReadByIds;
    const those: Domain = isEverybody ? [] : [["id", "in", changed.map(Number)]];
    yield { changed: [], present };
    for await (const page of readPeople(opened, look.absentIds, those))
      yield { changed: page, present: page.map((record) => String(record.id)) };
  },
  changesNameRemovals: true,
  table: employeeFields,
  map: toEmployee,
});

async function* readPeople(
  { odoo, reader, shape, added, contracts: source, isCompanyTold, today }: OpenedEmployees,
  absentIds: ReadonlySet<number>,
  those: Domain = [],
): AsyncGenerator<RawEmployee[]> {
  const departments = await reader.readAllIfAllowed("hr.department", department);
  const byId = new Map(departments?.map((record) => [record.id, record]));
  const listed = source === "hidden" ? null : source;
  const typeCodes = listed ? await readContractTypes(odoo, reader) : new Map<number, string>();
  for await (const page of reader.readPages("hr.employee", shape, those)) {
    const contracts = listed && (await readContracts(reader, listed, typeCodes, page));
    yield page.map((record) => ({
      ...record,
      departments: listDepartments(record, byId),
      contracts: contracts && (contracts.get(record.id) ?? []),
      areContractsHidden: source === "hidden",
      isOnLeave: absentIds.has(record.id),
      added: readAddedFields(record, added),
      isCompanyTold,
      today,
    }));
  }
}

/** The employee's own department, then its parent, and so on. */
function listDepartments(
  record: OdooRecord,
  departments: ReadonlyMap<number, OdooRecord>,
): OdooRecord[] {
  const path: OdooRecord[] = [];
  let next = departments.get(idAt(record, "department_id") ?? 0);
  while (next && !path.includes(next)) {
    path.push(next);
    next = departments.get(idAt(next, "parent_id") ?? 0);
  }
  return path;
}

function isSame(one: Watch, other: Watch | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
