import { expect } from "vitest";
import type { Mode } from "../../src/model/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Session, Settings } from "../../src/providers/contract.ts";
import type { AuthError } from "../../src/providers/errors.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import { Customer } from "../support/odoo-customer.ts";
import { commonResources } from "../support/odoo-desk-data.ts";
import { OdooRpc } from "../support/odoo-rpc.ts";

/** The live Odoo. Empty when there is none: then the tests are left out. */
export const url = process.env["ODOO_URL"] ?? "";
export const range = { start: "2020-01-01", end: "2030-12-31" };

export function customer(mode: Mode, settings: Settings = {}): Customer {
  return new Customer(`${url}/odoo`, systemClock, undefined, {
    mode,
    settings,
    resources: commonResources,
  });
}

export const passwordOf = (login: string): string => (login === "admin" ? login : `${login}-pass`);

/** What is typed into the form. */
export async function formOf(login: string, mode: Mode): Promise<Record<string, string>> {
  const password = passwordOf(login);
  if (mode === "xhr") return { database: "hr", username: login, password };
  const rpc = await new OdooRpc(url).signIn(login, password);
  return { database: "hr", key: await rpc.makeApiKey(password) };
}

/** The company is the answer where one is asked for. */
export async function signInAs(
  reader: Customer,
  login: string,
  company?: string,
): Promise<Session> {
  let result = await reader.logIn(await formOf(login, reader.call.mode));
  if ("challenge" in result && company !== undefined)
    result = await reader.answer(result.challenge.state, company);
  if (!("session" in result)) throw new Error("the sign-in asks for more");
  return result.session;
}

export const refusal = (code: AuthError["code"]) =>
  expect.objectContaining({ name: "AuthError", code });

/** A balance without the days of its allocations, which Odoo's own page does not show. */
export function withoutDays(balance: SourceRecord<"time-off-balances">): object {
  const { remote_created_at: _created, remote_modified_at: _modified, ...rest } = balance;
  return rest;
}

/** One by one, so that a difference can be read. */
export function expectSame(records: readonly object[], wanted: readonly object[]): void {
  const [found, known] = [inOrder(records), inOrder(wanted)];
  expect(found.map(keyOf)).toEqual(known.map(keyOf));
  for (const [index, record] of found.entries()) expect(record).toEqual(known[index]);
}

export const inOrder = <Item extends object>(list: readonly Item[]): Item[] =>
  list.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

function keyOf(item: object): string {
  const {
    remote_id: id,
    employee_remote_id: employee,
    policy_remote_id: policy,
  } = item as Record<string, unknown>;
  return `${String(id)} ${String(employee)} ${String(policy)}`;
}
