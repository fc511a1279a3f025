import type { ReadContext, Session } from "../contract.ts";
import { given } from "../kit/readers.ts";
import type { Shape } from "../kit/source.ts";
import type { OdooClient } from "./client.ts";
import { areSeveralCompaniesRead, dayIn, findTimeZone } from "./companies.ts";
import { findContracts, type ContractSource } from "./contracts.ts";
import { listAddedFields, type AddedField } from "./custom-fields.ts";
import { employeeFields, hiddenWithContracts, hiddenWithLeave, person } from "./employee-fields.ts";
import type { RecordReader } from "./records.ts";
import { openResource } from "./rights.ts";

/** How employees are read, with the rights of the account. */
export interface OpenedEmployees {
  odoo: OdooClient;
  reader: RecordReader;
  /** The fields of a person that are there and wanted. */
  shape: Shape;
  added: readonly AddedField[];
  contracts: ContractSource | "hidden" | null;
  isLeaveTold: boolean;
  /** Whether the employees of several companies are read. */
  isCompanyTold: boolean;
  timeZone: string;
  /** YYYY-MM-DD, where the company is. */
  today: string;
}

/** Throws when the account may not read them any more. */
export async function openEmployees(
  context: ReadContext,
  session: Session,
): Promise<OpenedEmployees> {
  const { odoo, reader, rights } = await openResource(context, session, "employees");
  const contracts = await findContracts(reader);
  const isLeaveTold = await rights.allows("time-off-entries");
  if (contracts === "hidden") context.limited(hiddenWithContracts);
  if (!isLeaveTold) context.limited(hiddenWithLeave);
  const timeZone = await findTimeZone(odoo, reader);
  const today = dayIn(timeZone, context.clock.now());
  await odoo.markDay(today);
  const isCompanyTold = await areSeveralCompaniesRead(odoo);
  const added = listAddedFields(await odoo.listAllFields("hr.employee"));
  const addedShape = Object.fromEntries(added.map(({ name }) => [name, given<unknown>()]));
  const unwanted = employeeFields.unwanted((field) => context.isWanted(field));
  const known = Object.entries(person.shape).filter(([name]) => !unwanted.has(name));
  const shape: Shape = { ...Object.fromEntries(known), ...addedShape };
  const rightsTold = { contracts, isLeaveTold, isCompanyTold };
  return { odoo, reader, shape, added, ...rightsTold, timeZone, today };
}
