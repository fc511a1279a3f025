import { z } from "zod";
import type { Session, SignInContext, SignInResult } from "../contract.ts";
import { FieldError } from "../errors.ts";
import { flag } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { isTimeZone, openZone } from "../kit/zone.ts";
import { OdooClient, type Domain } from "./client.ts";
import { RecordReader } from "./records.ts";
import { parseSession, type OdooSession } from "./session.ts";
import { explanations } from "./explanations.ts";
import { many, text } from "./values.ts";

const allCompanies = "all";
const companyState = z.strictObject({ session: z.looseObject({}) });

export function isCompanyState(state: Session): boolean {
  return companyState.safeParse(state).success;
}

/** Asks for the company when the account works in several. Who signs in again keeps what was chosen. */
export async function chooseCompany(
  context: SignInContext,
  signedIn: OdooSession,
): Promise<SignInResult> {
  const odoo = new OdooClient(context, signedIn);
  const companies = await readOwnCompanies(odoo);
  const { session } = odoo;
  const { previousSession } = context;
  const all = companies.map((company) => company.id);
  const whole = { ...session, ...(all.length > 0 && { companyIds: all }) };
  if (previousSession) {
    const { companyId, companyIds = [] } = parseSession(previousSession);
    const needed = companyId === undefined ? companyIds : [companyId];
    if (!(await worksIn(odoo, needed))) throw new FieldError("url", explanations.otherCompany);
    return { session: companyId === undefined ? whole : { ...session, companyId } };
  }
  if (companies.length < 2) return { session: whole };
  const options = companies.map(({ id, name }) => ({ value: String(id), title: name }));
  return {
    challenge: {
      kind: "choose",
      prompt: "Which company?",
      options: [{ value: allCompanies, title: "All companies" }, ...options],
      state: { session: whole } satisfies z.output<typeof companyState>,
    },
  };
}

/** The answer is one of the options. */
export async function answerCompany(state: Session, answer: string): Promise<SignInResult> {
  const session = parseSession(companyState.parse(state).session);
  if (answer === allCompanies) return { session };
  const { companyIds: _, ...one } = session;
  return { session: { ...one, companyId: Number(answer) } };
}

/** Whether the account still has these companies. Those that were archived since count as well. */
export async function worksIn(odoo: OdooClient, companyIds: readonly number[]): Promise<boolean> {
  if (companyIds.length === 0) return true;
  const domain = ofAccount(odoo);
  const fields = ["id", "company_ids"];
  const [user] = await odoo.search("res.users", { domain, fields, limit: 1 });
  const own: unknown = user?.["company_ids"];
  return Array.isArray(own) && companyIds.every((id) => own.includes(id));
}

/**
 * For models whose rows Odoo gives of every company: to an administrator of access rights its companies, to
 * anybody its work locations.
 */
export async function ofReadCompanies(odoo: OdooClient, field: string): Promise<Domain> {
  const { companyId } = odoo.session;
  if (companyId !== undefined) return [[field, "=", companyId]];
  const own = await readOwnCompanies(odoo);
  return own.length === 0 ? [] : [[field, "in", own.map(({ id }) => id)]];
}

export async function areSeveralCompaniesRead(odoo: OdooClient): Promise<boolean> {
  return odoo.session.companyId === undefined && (await readOwnCompanies(odoo)).length > 1;
}

const user = defineSource({ company_ids: many({ id: text, name: text, active: flag }) });

/** The companies that the account may work in, by id. */
async function readOwnCompanies(odoo: OdooClient): Promise<{ id: number; name: string }[]> {
  const reader = new RecordReader(odoo);
  const [own] = (await reader.readAllIfAllowed("res.users", user.shape, ofAccount(odoo))) ?? [];
  return (user.read(own, "company_ids") ?? [])
    .filter(({ active }) => active !== false)
    .map(({ id, name }) => ({ id: Number(id), name: name ?? String(id) }))
    .sort((one, other) => one.id - other.id);
}

const workingHours = defineSource({ company_id: { resource_calendar_id: { tz: text } } });

/** Of the account, else of its company, else UTC. */
export async function findTimeZone(odoo: OdooClient, reader: RecordReader): Promise<string> {
  const timeZone = (await odoo.sessionInfo()).timeZone ?? (await readTimeZone(odoo, reader));
  // Odoo knows some time zones that were given up.
  return timeZone !== null && isTimeZone(timeZone) ? timeZone : "UTC";
}

/** YYYY-MM-DD */
export function dayIn(timeZone: string, now: Date): string {
  return openZone(timeZone).toLocal(now).slice(0, "YYYY-MM-DD".length);
}

async function readTimeZone(odoo: OdooClient, reader: RecordReader): Promise<string | null> {
  const { shape } = workingHours;
  const [own] = (await reader.readAllIfAllowed("res.users", shape, ofAccount(odoo))) ?? [];
  return workingHours.read(own, "company_id.resource_calendar_id.tz");
}

function ofAccount(odoo: OdooClient): Domain {
  return [["id", "=", odoo.uid]];
}
