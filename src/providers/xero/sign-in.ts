import { z } from "zod";
import type { Identity, Resource } from "../../model/index.ts";
import type {
  LogOutContext,
  ProviderContext,
  ProviderMode,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { AuthError, FieldError, ProviderBug } from "../errors.ts";
import { requestOAuth2Tokens, type OAuth2Tokens } from "../request-oauth2-tokens.ts";
import { checkRights } from "./check-rights.ts";
import { explanations } from "./explanations.ts";
import { deleteTenant, listTenants, type Tenant } from "./tenants.ts";
import { parseGrant, parseSession, type XeroGrant, type XeroSession } from "./xero-session.ts";

const authorizationUrl = "https://login.xero.com/identity/connect/authorize";
const tokenUrl = "https://identity.xero.com/connect/token";
/** A token that ends sooner may end before the request with it arrives. */
const leastLifeMs = 60_000;

/** The rights to read each resource, besides those of every sign-in. */
const scopesOf: Readonly<Partial<Record<Resource, readonly string[]>>> = {
  employees: ["payroll.employees.read", "payroll.settings.read"],
  groups: ["payroll.settings.read"],
  payruns: ["payroll.payruns.read"],
  payslips: ["payroll.payruns.read", "payroll.payslip.read", "payroll.settings.read"],
  timesheets: ["payroll.timesheets.read", "payroll.settings.read"],
  "time-off-entries": ["payroll.employees.read", "payroll.settings.read"],
  "time-off-balances": ["payroll.employees.read"],
};
const scopesOfAll = ["offline_access", "openid", "profile", "email", "accounting.settings.read"];

const personClaims = z.object({
  sub: z.string().min(1),
  name: z.string().nullish(),
  given_name: z.string().nullish(),
  family_name: z.string().nullish(),
  email: z.string().nullish(),
});

/** The same in both modes. The person types nothing: Xero's page asks for their approval. */
export const signIn: Omit<ProviderMode, "resources"> = {
  form: z.object({}),
  oauth2: {
    authorizationUrl: () => authorizationUrl,
    scopes: (resources) => [
      ...new Set([...scopesOfAll, ...resources.flatMap((resource) => scopesOf[resource] ?? [])]),
    ],
  },
  login,
  resume,
  refresh,
  expiresAt: (session) => new Date(parseSession(session).expiresAt),
  accountOfSession: (session) => {
    const { tenantId, person } = parseSession(session);
    return [tenantId, person.sub];
  },
  logOut,
  check: checkRights,
  identity: async (_context, session): Promise<Identity> => {
    const { name, email } = parseSession(session).person;
    return { name, email, phone_number: null };
  },
};

async function login(context: SignInContext): Promise<SignInResult> {
  const { authorization } = context;
  if (!authorization) throw new ProviderBug("there is no code of Xero's page");
  const tokens = await requestOAuth2Tokens(context, { tokenUrl, grant: authorization });
  const grant = { ...toTokens(tokens), person: readPerson(tokens) };
  const all = await listTenants(context, grant.accessToken);
  const previous = context.previousSession && parseSession(context.previousSession).tenantId;
  if (previous !== undefined) {
    if (!all.some(({ tenantId }) => tenantId === previous))
      throw new FieldError("organisation", explanations.another);
    return { session: { ...grant, tenantId: previous } };
  }
  const [first, ...others] = chooseApproved(all, grant.accessToken);
  if (!first) throw new FieldError("organisation", explanations.none);
  if (others.length === 0) return { session: { ...grant, tenantId: first.tenantId } };
  return {
    challenge: {
      kind: "choose",
      prompt: explanations.organisation,
      options: [first, ...others].map(({ tenantId, name }) => ({ value: tenantId, title: name })),
      state: grant,
    },
  };
}

/** The host takes an answer only when it is the value of one of the options. */
async function resume(
  _context: SignInContext,
  state: Session,
  answer: string,
): Promise<SignInResult> {
  return { session: { ...parseGrant(state), tenantId: answer } };
}

/** Tokens are renewed as long as the person is known. Those that open the organisation no more are worth nothing. */
async function refresh(context: ProviderContext, session: Session): Promise<Session> {
  const renewed = await renewTokens(context, session);
  if (await isDisconnected(context, renewed)) throw new AuthError("reauthentication_required");
  return renewed;
}

async function renewTokens(context: ProviderContext, session: Session): Promise<XeroSession> {
  const before = parseSession(session);
  const grant = { refreshToken: before.refreshToken };
  const tokens = await requestOAuth2Tokens(context, { tokenUrl, grant });
  return { ...before, ...toTokens(tokens, before.refreshToken) };
}

/** False when Xero does not say it: the tokens before these work no more, so these must not be lost. */
async function isDisconnected(
  context: ProviderContext,
  { accessToken, tenantId }: XeroSession,
): Promise<boolean> {
  try {
    const tenants = await listTenants(context, accessToken);
    return !tenants.some((tenant) => tenant.tenantId === tenantId);
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
  const before = parseSession(session);
  const { tenantId } = before;
  const isEnding = Date.parse(before.expiresAt) - context.clock.now().getTime() < leastLifeMs;
  const { accessToken } = isEnding ? await renewTokens(context, session) : before;
  const tenants = await listTenants(context, accessToken);
  const own = tenants.find((tenant) => tenant.tenantId === tenantId);
  if (own) await deleteTenant(context, accessToken, own);
}

/** What the person approved just now; everything that they ever approved when Xero does not tell. */
function chooseApproved(tenants: readonly Tenant[], accessToken: string): readonly Tenant[] {
  const event = readAuthEventId(accessToken);
  const approved = tenants.filter(
    ({ authEventId }) => authEventId !== null && authEventId === event,
  );
  return approved.length > 0 ? approved : tenants;
}

/** Xero's access tokens are JSON web tokens. One of another kind tells nothing. */
function readAuthEventId(accessToken: string): string | undefined {
  const [, payload = ""] = accessToken.split(".");
  try {
    const claims = z.object({ authentication_event_id: z.string() });
    return claims.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")))
      .authentication_event_id;
  } catch {
    return undefined;
  }
}

function toTokens(
  { accessToken, refreshToken, expiresAt }: OAuth2Tokens,
  previousRefreshToken?: string,
): Omit<XeroGrant, "person"> {
  const kept = refreshToken ?? previousRefreshToken;
  if (kept === undefined || expiresAt === undefined)
    throw new ProviderBug("Xero gave no refresh token, or no lifetime of the token");
  return { accessToken, refreshToken: kept, expiresAt };
}

function readPerson({ idTokenClaims }: OAuth2Tokens): XeroGrant["person"] {
  const { data } = personClaims.safeParse(idTokenClaims);
  if (!data) throw new ProviderBug("Xero does not tell who approved");
  const { sub, name, given_name, family_name, email } = data;
  const names = [given_name, family_name].filter(Boolean).join(" ");
  return { sub, name: name || names || email || sub, email: email ?? "" };
}
