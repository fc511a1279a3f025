import { z } from "zod";
import { authErrorCodes, employee, resource, type AuthErrorCode } from "../../model/index.ts";
import type { Session } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";

/** The lists that can be set, in the place of those of the scenario. */
export const settableLists = ["employees", "payruns", "payslips", "time-off-entries"] as const;
type SettableList = (typeof settableLists)[number];
export type SetRecords = { readonly [R in SettableList]?: readonly SourceRecord<R>[] };

/** What the account may not read: fields of employees, and whole resources. */
const sandboxRights = z.object({ limited: z.array(z.string()), forbidden: z.array(resource) });
export type SandboxRights = z.output<typeof sandboxRights>;

/** They were checked when they were set. */
const setRecords = z.custom<SetRecords>((value) => typeof value === "object" && value !== null);

const sandboxSession = z.object({
  /** The user name, which selects the scenario. */
  user: z.string(),
  /** The number of simulated hours that passed. */
  hour: z.int().nonnegative(),
  /** Every fetch is refused with this code until the end user signs in again. */
  failure: z.enum(authErrorCodes).optional(),
  /** When a fetch was told to wait. */
  limitedAtMs: z.number().optional(),
  records: setRecords.optional(),
  /** Without them, those of the scenario. */
  rights: sandboxRights.optional(),
});

export type SandboxSession = z.output<typeof sandboxSession>;

export function readSession(session: Session): SandboxSession {
  return sandboxSession.parse(session);
}

/** A new sign-in goes on where the session was that it replaces, without its failure. */
export function startSession(user: string, previous: Session | undefined): Session {
  if (!previous) return { user, hour: 0 };
  const { hour, records, rights } = readSession(previous);
  return { user, hour, ...(records && { records }), ...(rights && { rights }) };
}

/** Adds one simulated hour: the next fetch finds one person added, one removed and two updated. */
export function advanceSandbox(session: Session): Session {
  return { ...session, hour: readSession(session).hour + 1 };
}

/** Makes every fetch fail with this code until the end user signs in again. */
export function failSandbox(session: Session, code: AuthErrorCode): Session {
  return { ...session, failure: code };
}

/** Puts lists in the place of those of the scenario. Null gives one back to the scenario. */
export function setSandboxRecords(
  session: Session,
  lists: { readonly [R in SettableList]?: SetRecords[R] | null | undefined },
): Session {
  const records = Object.entries({ ...readSession(session).records, ...definedOf(lists) });
  return { ...session, records: Object.fromEntries(records.filter(([, list]) => list !== null)) };
}

/** What the account may not read from the next sign-in on. */
export function setSandboxRights(session: Session, rights: SandboxRights): Session {
  return { ...session, rights };
}

function definedOf(lists: object): object {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined));
}

/** Of an employee, what need not be there. */
export const limitableFields = Object.entries(employee.shape)
  .filter(([, schema]) => schema.safeParse(null).success)
  .map(([name]) => name);
