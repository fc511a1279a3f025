import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type {
  FormValues,
  LogOutContext,
  Session,
  SignInContext,
  SignInResult,
} from "../contract.ts";
import { AuthError, FieldError } from "../errors.ts";
import { toOrigin } from "../kit/web-origin.ts";
import { chooseCompany } from "./companies.ts";
import {
  callRpc,
  callStranger,
  isNamed,
  isRefused,
  resultOf,
  toOtherFailure,
  type OdooFault,
} from "./replies.ts";
import { askSecondFactor } from "./second-factor.ts";
import { parseSession, type PersonSession } from "./session.ts";
import { explanations } from "./explanations.ts";
import { readKeyInfo } from "./transports.ts";

/** What a header can carry. No key and no name of a database that Odoo makes has anything else. */
const headerText = /^[\x21-\x7e]*$/;

export async function logIn(context: SignInContext, formValues: FormValues): Promise<SignInResult> {
  const { url, database: wanted } = findPlace(context, formValues);
  const http = context.http(url);
  const database = await findDatabase(http, url, wanted);
  if (database === null) throw new FieldError("database", explanations.hiddenDatabases);
  const params = {
    db: database,
    login: (formValues["username"] ?? "").trim(),
    password: formValues["password"] ?? "",
  };
  const request = { path: "/web/session/authenticate", params, isIdempotent: false };
  const reply = await callStranger(http, url, request);
  if (!reply) throw new FieldError("url", explanations.notOdoo);
  if ("fault" in reply) throw toRefusal(reply.fault);
  const { data } = z.object({ uid: z.int().positive() }).safeParse(reply.result);
  if (!data) return await askSecondFactor(http, { url, database });
  const session = { url, database, cookies: http.exportCookies(), uid: data.uid };
  return await chooseCompany(context, session satisfies PersonSession);
}

export async function logInByKey(
  context: SignInContext,
  formValues: FormValues,
): Promise<SignInResult> {
  const { url, database: wanted } = findPlace(context, formValues);
  const http = context.http(url);
  const database = await findDatabase(http, url, wanted);
  if (!headerText.test(database ?? ""))
    throw new FieldError("database", explanations.unknownDatabase);
  const place = { url, database, key: (formValues["key"] ?? "").trim() };
  if (!headerText.test(place.key)) throw new AuthError("incorrect_username_or_password");
  try {
    const info = await readKeyInfo(http, place);
    if (info) return await chooseCompany(context, { ...place, uid: info.uid });
  } catch (error) {
    throw isRefused(error) ? new AuthError("incorrect_username_or_password") : error;
  }
  if (database === null) throw new FieldError("database", explanations.hiddenDatabases);
  throw new FieldError("database", explanations.unknownDatabase);
}

/** Each sign-in has a session of its own, so no other access to the account loses its own. */
export async function logOut(context: LogOutContext, session: Session): Promise<void> {
  const parsed = parseSession(session);
  if ("key" in parsed) return;
  const { url, cookies } = parsed;
  try {
    resultOf(await callRpc(context.http(url, { cookies }), url, { path: "/web/session/destroy" }));
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}

/**
 * The address, and the database that was typed or is connected; empty when neither is. Another person may
 * sign in again, but not to another Odoo: its records would be taken for the known ones.
 */
function findPlace(
  context: SignInContext,
  formValues: FormValues,
): { url: string; database: string } {
  const url = toOrigin(formValues["url"] ?? "");
  if (url === null) throw new FieldError("url", explanations.notOdoo);
  const typed = (formValues["database"] ?? "").trim();
  const previous = context.previousSession && parseSession(context.previousSession);
  if (!previous) return { url, database: typed };
  if (toOrigin(previous.url) !== url) throw new FieldError("url", explanations.another);
  if (previous.database !== null && typed !== "" && typed !== previous.database)
    throw new FieldError("database", explanations.another);
  return { url, database: previous.database ?? typed };
}

/**
 * The database that was typed, else the only one; null when nothing was typed and the server does not list its
 * databases. Avoids a failed sign-in at a database that is not there. Where a server does not list its databases, the
 * sign-in itself finds out.
 */
async function findDatabase(
  http: ProviderHttp,
  url: string,
  typed: string,
): Promise<string | null> {
  const reply = await callStranger(http, url, { path: "/web/database/list" });
  const list = z.array(z.string()).min(1);
  const { data: listed } = list.safeParse(reply && "result" in reply ? reply.result : undefined);
  if (typed !== "") {
    if (listed && !listed.includes(typed))
      throw new FieldError("database", explanations.unknownDatabase);
    return typed;
  }
  if (!listed) return null;
  const [only, ...others] = listed;
  if (only === undefined || others.length > 0)
    throw new FieldError("database", explanations.severalDatabases);
  return only;
}

function toRefusal(fault: OdooFault): Error {
  if (isNamed(fault, "AccessDenied")) return new AuthError("incorrect_username_or_password");
  if (isUnknownDatabase(fault)) return new FieldError("database", explanations.unknownDatabase);
  return toOtherFailure(fault, "Odoo answered the sign-in with an unknown fault");
}

/**
 * The three cases: a server that checks its list, a server that just connects, a database without
 * Odoo.
 */
function isUnknownDatabase(fault: OdooFault): boolean {
  if (isNamed(fault, "AccessError")) return fault.message === "Database not found.";
  if (isNamed(fault, "OperationalError")) return fault.message.includes("does not exist");
  return isNamed(fault, "KeyError") && fault.arguments[0] === "res.users";
}
