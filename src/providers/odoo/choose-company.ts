import { z } from "zod";
import type { Session, SignInContext, SignInResult } from "../contract.ts";
import { FieldError } from "../errors.ts";
import { explanations } from "./explanations.ts";
import { isFalse, toRelatedList, toText, type OdooRecord } from "./field-values.ts";
import { OdooClient, type Domain } from "./odoo-client.ts";
import { parseSession, type OdooSession } from "./odoo-session.ts";
import { plainFields, RecordReader } from "./record-reader.ts";

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
  const all = companies.map(({ id }) => id);
  const whole = { ...session, ...(all.length > 0 && { companyIds: all }) };
  if (previousSession) {
    const { companyId, companyIds = [] } = parseSession(previousSession);
    const needed = companyId === undefined ? companyIds : [companyId];
    if (!(await worksIn(odoo, needed))) throw new FieldError("url", explanations.otherCompany);
    return { session: companyId === undefined ? whole : { ...session, companyId } };
  }
  if (companies.length < 2) return { session: whole };
  const options = companies.map((company) => ({
    value: String(company.id),
    title: toText(company, "name") ?? String(company.id),
  }));
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
  const domain = [["id", "=", odoo.uid]] as const;
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

/** The companies that the account may work in, by id. */
export async function readOwnCompanies(odoo: OdooClient): Promise<OdooRecord[]> {
  const ownFields = { company_ids: plainFields("name", "active") };
  const own = [["id", "=", odoo.uid]] as const;
  const [user] = (await new RecordReader(odoo).readAllIfAllowed("res.users", ownFields, own)) ?? [];
  return toRelatedList(user ?? null, "company_ids")
    .filter((company) => !isFalse(company, "active"))
    .sort((one, other) => one.id - other.id);
}
