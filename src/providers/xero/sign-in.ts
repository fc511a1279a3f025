import { z } from "zod";
import type {
  CheckContext,
  CheckResult,
  LogOutContext,
  ProviderContext,
  ProviderMode,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { AuthError, FieldError } from "../errors.ts";
import { takeOrAsk } from "../kit/key-sign-in.ts";
import { oauth2, readApprovedBy } from "../kit/oauth2.ts";
import { findRights, whereReadable, type Probe } from "../kit/rights.ts";
import { readTokenClaims } from "../request-oauth2-tokens.ts";
import { australianPath } from "./australian-client.ts";
import { readOrganisation, toCountry } from "./company.ts";
import { approvalRecipe } from "./recipes.ts";
import {
  api,
  deleteTenant,
  listOf,
  listTenants,
  type Tenant,
  type XeroSession,
} from "./xero-client.ts";

/** What a person reads when the sign-in cannot go on, and the question that it may ask. */
const explanations = {
  organisation: "Which organisation do you want to connect?",
  none: "No organisation was approved. Please continue to Xero again and choose the one to connect.",
  another:
    "This is another organisation than the one that is connected. Please approve the same one at Xero.",
  noRight:
    "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.",
};

const approval = oauth2({
  authorizationUrl: "https://login.xero.com/identity/connect/authorize",
  tokenUrl: "https://identity.xero.com/connect/token",
  scopes: {
    always: ["offline_access", "openid", "profile", "email", "accounting.settings.read"],
    of: {
      employees: ["payroll.employees.read", "payroll.settings.read"],
      groups: ["payroll.settings.read"],
      payruns: ["payroll.payruns.read"],
      payslips: ["payroll.payruns.read", "payroll.payslip.read", "payroll.settings.read"],
      timesheets: ["payroll.timesheets.read", "payroll.settings.read"],
      "time-off-entries": ["payroll.employees.read", "payroll.settings.read"],
      "time-off-balances": ["payroll.employees.read"],
    },
  },
});

/** One request shows whether the person may read these. */
const probes: readonly { path: string; australian: string; resources: Probe["resources"] }[] = [
  {
    path: "/Employees",
    australian: `${australianPath}/Employees`,
    resources: ["employees", "time-off-entries", "time-off-balances"],
  },
  {
    path: "/PayRunCalendars",
    australian: `${australianPath}/PayrollCalendars`,
    resources: ["groups"],
  },
  {
    path: "/Timesheets",
    // The one list that both have.
    australian: listOf("/Timesheets", "").path,
    resources: ["timesheets"],
  },
  {
    path: "/PayRuns",
    australian: `${australianPath}/PayRuns`,
    resources: ["payruns", "payslips"],
  },
];

/** The same in both modes. The person types nothing: Xero's page asks for their approval. */
export const signIn: Omit<ProviderMode, "resources"> = {
  ...approval.mode,
  form: z.object({}),
  recipe: approvalRecipe,
  login,
  // The host takes an answer only when it is the value of one of the options.
  resume: async (context, state, answer) => ({
    session: await withCountry(context, take(api.parse(state), answer)),
  }),
  refresh,
  accountOfSession: (session) => {
    const { tenantId, person } = api.parse(session);
    return [tenantId, person.sub];
  },
  logOut,
  check,
  identity: async (_context, session) => {
    const { name, email } = api.parse(session).person;
    return { name, email, phone_number: null };
  },
};

/** One connection reads one organisation, and stays with it. */
async function login(context: SignInContext): Promise<SignInResult> {
  const { session, claims } = await approval.exchange(context, {});
  const state = api.parse({ ...session, person: readApprovedBy(claims), tenantId: "" });
  const tenants = await listTenants(api.with(context, state));
  const before = context.previousSession && api.parse(context.previousSession).tenantId;
  if (before !== undefined && !tenants.some(({ tenantId }) => tenantId === before))
    throw new FieldError("organisation", explanations.another);
  const approved = chooseApproved(tenants, state);
  if (approved.length === 0) throw new FieldError("organisation", explanations.none);
  const reached = new Map(
    approved.map(({ tenantId, tenantName }) => [
      tenantId ?? "",
      { title: tenantName ?? tenantId ?? "" },
    ]),
  );
  const chosen = takeOrAsk({ prompt: explanations.organisation, take }, state, reached, before);
  if (!("session" in chosen)) return chosen;
  return { session: await withCountry(context, api.parse(chosen.session)) };
}

function take(session: XeroSession, tenantId: string): XeroSession {
  return { ...session, tenantId };
}

/** So that no read has to ask for it. Who may not read the organisation is told so by the check. */
async function withCountry(context: ProviderContext, session: XeroSession): Promise<XeroSession> {
  const found = await whereReadable(() => readOrganisation(api.with(context, session)));
  return found ? { ...session, country: toCountry(found) } : session;
}

/** Tokens are renewed as long as the person is known. Those that open the organisation no more are worth nothing. */
async function refresh(context: ProviderContext, session: Session): Promise<Session> {
  const renewed = await approval.renew(context, api.parse(session));
  if (await isDisconnected(context, renewed)) throw new AuthError("reauthentication_required");
  return renewed;
}

/** False when Xero does not say it: the tokens before these work no more, so these must not be lost. */
async function isDisconnected(context: ProviderContext, session: XeroSession): Promise<boolean> {
  try {
    const tenants = await listTenants(api.with(context, session));
    return !tenants.some(({ tenantId }) => tenantId === session.tenantId);
  } catch {
    return false;
  }
}

/**
 * Xero has one connection of a person to an organisation, however often it was approved. So it is deleted only when
 * nobody else reads by it.
 */
async function logOut(context: LogOutContext, session: Session): Promise<void> {
  if (context.isAccountInUse) return;
  const fresh = await approval.makeFresh(context, api.parse(session));
  const client = api.with(context, fresh);
  const own = (await listTenants(client)).find(({ tenantId }) => tenantId === fresh.tenantId);
  if (own) await deleteTenant(client, own);
}

/** Each country's payroll has its own paths. An organisation of another country has the company alone. */
async function check(context: CheckContext, session: Session): Promise<CheckResult> {
  const client = api.with(context, session);
  const { country = "GB" } = api.parse(session);
  const company: Probe = { resources: ["company"], ask: () => readOrganisation(client) };
  const ofPayroll = country === null ? [] : probes;
  const rights = await findRights(
    context,
    [
      company,
      ...ofPayroll.map(({ path, australian, resources }) => ({
        resources,
        ask: () =>
          client.get(country === "AU" ? australian : listOf(path, "").path, { query: { page: 1 } }),
      })),
    ],
    { ofNothing: () => new FieldError("organisation", explanations.noRight) },
  );
  const foreign = country === null ? probes.flatMap(({ resources }) => resources) : [];
  return { ...rights, unsupported: [...rights.unsupported, ...foreign] };
}

/**
 * What the person approved just now, as the access token names it; everything that they ever approved when Xero does not
 * tell.
 */
function chooseApproved(
  tenants: readonly Tenant[],
  { accessToken }: XeroSession,
): readonly Tenant[] {
  const event = readTokenClaims(accessToken)?.["authentication_event_id"] ?? null;
  const approved = tenants.filter(({ authEventId }) => event !== null && authEventId === event);
  return approved.length > 0 ? approved : tenants;
}
