import type { Identity } from "../../model/index.ts";
import { addSeconds } from "../../platform/clock.ts";
import type {
  FormValues,
  ProviderContext,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { FieldError, ProviderBug } from "../errors.ts";
import { number, text } from "../kit/readers.ts";
import type { Meanings, RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { companyFields, legalEntities } from "./organisation.ts";
import { api, type PersonioSession } from "./personio-client.ts";
import { toAccount } from "./sign-in-form.ts";

const explanations = {
  anotherCompany:
    "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.",
};

export async function logIn(context: SignInContext, formValues: FormValues): Promise<SignInResult> {
  const credential = {
    clientId: toAccount(formValues).login,
    clientSecret: (formValues["client_secret"] ?? "").trim(),
  };
  const asking = { ...credential, ...noTokens, expiresAt: "", company: null };
  const tokens = await requestTokens(context, api.atSignIn(context, asking), credential);
  const signedIn = { ...asking, ...tokens };
  const session = { ...signedIn, company: await readCompany(api.with(context, signedIn)) };
  requireSameCompany(session, context.previousSession);
  return { session };
}

/** Personio gives no refresh token. Parallel tokens of the same pair all work. */
export async function refresh(context: ProviderContext, session: Session): Promise<Session> {
  const known = api.parse(session);
  const client = api.with(context, { ...known, ...noTokens });
  return { ...known, ...(await requestTokens(context, client, known)) };
}

export function expiresAt(session: Session): Date {
  return new Date(api.parse(session).expiresAt);
}

/** A credential has no person: the company has its place. */
export async function readIdentity(_context: ProviderContext, session: Session): Promise<Identity> {
  const { clientId, company } = api.parse(session);
  return { name: company?.name ?? clientId, email: "", phone_number: null };
}

const noTokens = { v1: "", v2: "" };
const usualSeconds = 86_400;
/**
 * Personio gives the same token until it ends. One that is about to end would be asked for anew before each request.
 * One that has ended is told by 401, and then asked for anew.
 */
const leastSeconds = 300;

const token = { token: text, access_token: text, expires_in: number };
const tokenAnswer = defineSource({ ...token, data: token });
/** v1 answers a wrong pair with 401 or 403, v2 with 400. */
const refusals: Meanings = { 400: "ended", 401: "ended", 403: "ended" };

/** Asks for a token of each version with the customer's secret. A pair that v1 refuses is not sent again. */
async function requestTokens(
  { clock }: Pick<ProviderContext, "clock">,
  client: RestClient,
  { clientId, clientSecret }: Pick<PersonioSession, "clientId" | "clientSecret">,
): Promise<Pick<PersonioSession, "v1" | "v2" | "expiresAt">> {
  const askedAt = clock.now();
  const pair = { client_id: clientId, client_secret: clientSecret };
  const first = await client.post("/v1/auth", { form: pair, errors: refusals });
  const form = { grant_type: "client_credentials", ...pair };
  const second = await client.post("/v2/auth/token", { form, errors: refusals });
  const v1 = tokenAnswer.read(first, "data.token");
  const v2 = tokenAnswer.read(second, "access_token");
  if (v1 === null || v2 === null) throw new ProviderBug("Personio gives no token");
  const seconds = [
    tokenAnswer.read(first, "data.expires_in") ?? usualSeconds,
    tokenAnswer.read(second, "expires_in") ?? usualSeconds,
  ];
  const usable = Math.max(leastSeconds, Math.min(...seconds, usualSeconds));
  return { v1, v2, expiresAt: addSeconds(askedAt, usable).toISOString() };
}

/** Null when the credential may not read it. */
async function readCompany(client: RestClient): Promise<PersonioSession["company"]> {
  const entities = await whereReadable(() => client.all(legalEntities));
  if (!entities) return null;
  const companies = entities.map((entity) => companyFields.map(entity, { today: "" }));
  // The newest comes first. The oldest is the one that the company began with.
  const name = companies.at(-1)?.display_name ?? null;
  return { ids: companies.map(({ remote_id: id }) => id ?? ""), name };
}

/** Another pair may be of another company. Its records would be taken for the known ones. */
function requireSameCompany(session: PersonioSession, replaced: Session | undefined): void {
  const previous = replaced && api.parse(replaced);
  if (!previous || previous.clientId === session.clientId) return;
  const known = previous.company?.ids ?? [];
  if (!known.some((id) => session.company?.ids.includes(id)))
    throw new FieldError("client_id", explanations.anotherCompany);
}
