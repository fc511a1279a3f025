import type {
  CheckContext,
  CheckResult,
  FormValues,
  ProviderContext,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { AuthError, FieldError, ProviderBug } from "../errors.ts";
import { findRights } from "../kit/rights.ts";
import type { Identity, Resource } from "../../model/index.ts";
import { utcDay } from "../../platform/clock.ts";
import { requestOAuth2Tokens } from "../request-oauth2-tokens.ts";
import {
  BadRequest,
  BambooClient,
  readJson,
  sendRequest,
  sessionProbe,
  toFailure,
  type BambooRequest,
} from "./bamboohr-client.ts";
import {
  originOf,
  parseSession,
  parseTokenSession,
  type BambooSession,
  type KeySession,
  type TokenSession,
} from "./bamboohr-session.ts";
import { toId, toRecord, toText } from "./field-values.ts";
import { employeeList } from "./roster.ts";
import { domainOf } from "./sign-in-form.ts";

const fallbackLifetimeMs = 3_600_000;
const msOfDay = 86_400_000;

export async function logInWithKey(
  context: SignInContext,
  formValues: FormValues,
): Promise<SignInResult> {
  const domain = requireDomain(context, formValues);
  const key = (formValues["key"] ?? "").trim();
  const session: KeySession = { domain, key, canListEmployees: true };
  const answer = await sendRequest(context, session, sessionProbe);
  if (answer.status === 401) throw new AuthError("incorrect_username_or_password");
  if (isOfNobody(answer))
    throw new FieldError("companyDomain", "There is no BambooHR account with this domain.");
  if (answer.status !== 200 && answer.status !== 403) throw toFailure(answer);
  // Older accounts list employees for OAuth2 alone.
  const list = await sendRequest(context, session, employeeList({ limit: 1 }));
  if (list.status === 408) throw toFailure(list);
  return { session: { ...session, canListEmployees: list.status === 200 } satisfies KeySession };
}

/**
 * Whether nobody has the domain: BambooHR then redirects or sends a page. A BambooHR that fails says nothing of the
 * domain.
 */
function isOfNobody(answer: Awaited<ReturnType<typeof sendRequest>>): boolean {
  const { status } = answer;
  if (status === 403 || status === 408) return false;
  return status === 404 || (status >= 300 && status < 400) || readJson(answer) === undefined;
}

export async function logInWithCode(
  context: SignInContext,
  formValues: FormValues,
): Promise<SignInResult> {
  const domain = requireDomain(context, formValues);
  const { authorization } = context;
  if (!authorization) throw new ProviderBug("the sign-in has no code of BambooHR");
  const tokens = await requestOAuth2Tokens(context, {
    tokenUrl: tokenUrlOf(domain),
    grant: authorization,
    authentication: "body",
  });
  const { accessToken, refreshToken } = tokens;
  const session: TokenSession = {
    domain,
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    expiresAt: tokens.expiresAt ?? fallbackExpiry(context),
    account: [],
  };
  const account = await nameAccount(context, session, tokens.idTokenClaims);
  return { session: { ...session, account } satisfies TokenSession };
}

/** The host asks for it once. BambooHR ends the refresh token that was sent. */
export async function refresh(context: ProviderContext, session: Session): Promise<Session> {
  const known = parseTokenSession(session);
  if (known.refreshToken === undefined) throw new AuthError("reauthentication_required");
  const tokens = await requestOAuth2Tokens(context, {
    tokenUrl: tokenUrlOf(known.domain),
    grant: { refreshToken: known.refreshToken },
    authentication: "body",
  });
  return {
    ...known,
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken ?? known.refreshToken,
    expiresAt: tokens.expiresAt ?? fallbackExpiry(context),
  } satisfies TokenSession;
}

/** What each resource is probed with, so that a missing right is told at the sign-in. */
const probes: Partial<
  Record<Resource, (yesterday: string, session: BambooSession) => BambooRequest>
> = {
  // A key that may not list people reads them from the dataset, which is a right to reports.
  employees: (_day, session) =>
    "key" in session && !session.canListEmployees
      ? { path: "/api/v1_2/datasets/employee/fields", query: { page_size: 1 } }
      : employeeList({ limit: 1 }),
  company: () => ({ path: "/api/v1/company_information" }),
  "time-off-entries": (day) => ({
    path: "/api/v1/time_off/requests",
    query: { start: day, end: day },
  }),
  // Nobody has this id, so the answer is short.
  timesheets: (day) => ({
    path: "/api/v1/time_tracking/timesheet_entries",
    query: { start: day, end: day, employeeIds: "0" },
  }),
};

export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const client = new BambooClient(context, session);
  await client.ask(sessionProbe);
  // The day of the company may be one behind ours, and BambooHR refuses days of the future.
  const yesterday = utcDay(new Date(context.clock.now().getTime() - msOfDay));
  return await findRights(
    context,
    (Object.entries(probes) as [Resource, (typeof probes)[Resource]][]).flatMap(
      ([resource, describe]) => {
        const request = describe?.(yesterday, client.session);
        return request
          ? [{ resources: [resource], ask: () => askOrBadRequest(client, request) }]
          : [];
      },
    ),
  );
}

/** Whoever may not read it is refused before the request is looked at. */
async function askOrBadRequest(client: BambooClient, request: BambooRequest): Promise<void> {
  try {
    await client.ask(request);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
  }
}

/** A key may belong to nobody: then the company is named. */
export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  const client = new BambooClient(context, session);
  const person = await readOwnRecord(client);
  const name = [toText(person["firstName"]), toText(person["lastName"])].filter(Boolean).join(" ");
  if (toId(person["id"]) !== null && name !== "")
    return {
      name,
      email: toText(person["workEmail"]) ?? "",
      phone_number: toText(person["mobilePhone"]),
    };
  const company = toRecord(await client.askIfAllowed({ path: "/api/v1/company_information" }));
  const { domain } = parseSession(session);
  return { name: toText(company["displayName"]) ?? domain, email: "", phone_number: null };
}

async function readOwnRecord(client: BambooClient) {
  return toRecord(
    await client.askIfAllowed({
      path: "/api/v1/employees/0",
      query: { fields: "firstName,lastName,workEmail,mobilePhone" },
    }),
  );
}

export function authorizationUrlOf(formValues: FormValues): string {
  return `${originOf(domainOf(formValues))}/authorize.php?request=authorize`;
}

function tokenUrlOf(domain: string): string {
  return `${originOf(domain)}/token.php?request=token`;
}

function fallbackExpiry({ clock }: Pick<ProviderContext, "clock">): string {
  return new Date(clock.now().getTime() + fallbackLifetimeMs).toISOString();
}

/** By the user, else by the employee. What belongs to nobody counts as an account of its own. */
async function nameAccount(
  context: SignInContext,
  session: TokenSession,
  claims: Readonly<Record<string, unknown>> | undefined,
): Promise<string[]> {
  const { domain, accessToken } = session;
  const user = toText(claims?.["sub"]);
  if (user !== null) return [domain, "user", user];
  const employee = toId((await readOwnRecord(new BambooClient(context, session)))["id"]);
  return employee === null ? [domain, "token", accessToken] : [domain, "employee", employee];
}

function requireDomain({ previousSession }: SignInContext, formValues: FormValues): string {
  const domain = domainOf(formValues);
  if (previousSession && parseSession(previousSession).domain !== domain)
    throw new FieldError(
      "companyDomain",
      "This is another company than the one that is connected. Please use the same domain as before.",
    );
  return domain;
}
