import type { Identity } from "../../model/index.ts";
import type {
  FormValues,
  ProviderContext,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { FieldError, OperationNotSupported } from "../errors.ts";
import { explanations } from "./explanations.ts";
import { toId, toText } from "./json-values.ts";
import { readCursorList } from "./read-lists.ts";
import { isPermissionMissing } from "../kit/rights.ts";
import { sendRequest } from "./personio-client.ts";
import { parseSession, type PersonioSession } from "./personio-session.ts";
import { requestTokens } from "./request-tokens.ts";
import { toCredential } from "./sign-in-form.ts";

export const legalEntities = { path: "/v2/legal-entities" };

export async function logIn(context: SignInContext, formValues: FormValues): Promise<SignInResult> {
  const credential = toCredential(formValues);
  const tokens = await requestTokens(context, credential, "incorrect_username_or_password");
  const signedIn: PersonioSession = { ...credential, ...tokens, company: null };
  const session = { ...signedIn, company: await readCompany(context, signedIn) };
  requireSameCompany(session, context.previousSession);
  return { session };
}

/** Personio gives no refresh token. Parallel tokens of the same pair all work. */
export async function refresh(context: ProviderContext, session: Session): Promise<Session> {
  const known = parseSession(session);
  return { ...known, ...(await requestTokens(context, known, "reauthentication_required")) };
}

export function expiresAt(session: Session): Date {
  return new Date(parseSession(session).expiresAt);
}

/** A credential has no person: the company has its place. */
export async function readIdentity(_context: ProviderContext, session: Session): Promise<Identity> {
  const { clientId, company } = parseSession(session);
  return { name: company?.name ?? clientId, email: "", phone_number: null };
}

/** Null when the credential may not read it. */
async function readCompany(
  context: SignInContext,
  session: PersonioSession,
): Promise<PersonioSession["company"]> {
  try {
    const entities = await readCursorList(
      (request) => sendRequest(context, session, request),
      legalEntities,
    );
    // The newest comes first. The oldest is the one that the company began with.
    const name = toText(entities.at(-1)?.["name"]);
    return { ids: entities.map(({ id }) => toId(id)).filter((id) => id !== null), name };
  } catch (error) {
    if (isPermissionMissing(error) || error instanceof OperationNotSupported) return null;
    throw error;
  }
}

/** Another pair may be of another company. Its records would be taken for the known ones. */
function requireSameCompany(session: PersonioSession, replaced: Session | undefined): void {
  const previous = replaced && parseSession(replaced);
  if (!previous || previous.clientId === session.clientId) return;
  const known = previous.company?.ids ?? [];
  if (!known.some((id) => session.company?.ids.includes(id)))
    throw new FieldError("client_id", explanations.another);
}
