import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { FormValues, Session, SignInContext, SignInResult } from "../contract.ts";
import { AuthError, FieldError, ProviderBug, ProviderDown } from "../errors.ts";
import { isNamed, readReply, type OdooFault, type OdooReply } from "./odoo-reply.ts";
import { parseSession, type OdooSession } from "./odoo-session.ts";
import { askSecondFactor } from "./second-factor.ts";
import { toOrigin } from "./sign-in-form.ts";

const signedIn = z.object({ uid: z.int().positive() });
const databaseList = z.array(z.string()).min(1);

const explanations = {
  notOdoo: "There is no Odoo at this address.",
  moved:
    "This address leads to another one. Please type the one that your browser shows when you use Odoo.",
  unknownDatabase: "There is no such database at this address.",
  another:
    "This is another Odoo than the one that is connected. Please use the same address and database as before.",
};

export async function logIn(context: SignInContext, formValues: FormValues): Promise<SignInResult> {
  const url = toOrigin(formValues["url"] ?? "");
  if (url === null) throw new FieldError("url", explanations.notOdoo);
  const database = (formValues["database"] ?? "").trim();
  refuseAnother(context.previousSession, { url, database });
  const http = context.http(url);
  await refuseUnknownDatabase(http, url, database);
  const reply = await sendPassword(http, url, {
    db: database,
    login: (formValues["username"] ?? "").trim(),
    password: formValues["password"] ?? "",
  });
  if ("fault" in reply) throw toRefusal(reply.fault);
  const { data } = signedIn.safeParse(reply.result);
  if (!data) return await askSecondFactor(http, { url, database });
  return {
    session: { url, database, cookies: http.exportCookies(), uid: data.uid } satisfies OdooSession,
  };
}

/** Whoever signs in again may be another person, but not of another company, whose records would pass for those that are known. */
function refuseAnother(
  previousSession: Session | undefined,
  { url, database }: Pick<OdooSession, "url" | "database">,
): void {
  if (!previousSession) return;
  const previous = parseSession(previousSession);
  if (previous.url !== url) throw new FieldError("url", explanations.another);
  if (previous.database !== database) throw new FieldError("database", explanations.another);
}

/** Spares a failed attempt with the password. Many servers keep their list to themselves; the sign-in then finds out. */
async function refuseUnknownDatabase(
  http: ProviderHttp,
  url: string,
  database: string,
): Promise<void> {
  const response = await http.request({
    method: "POST",
    url: `${url}/web/database/list`,
    json: { jsonrpc: "2.0", method: "call", params: {} },
    isIdempotent: true,
  });
  if (isRedirect(response.status)) throw new FieldError("url", explanations.moved);
  const reply = readReply(response);
  const { data } = databaseList.safeParse(reply && "result" in reply ? reply.result : undefined);
  if (data && !data.includes(database))
    throw new FieldError("database", explanations.unknownDatabase);
}

async function sendPassword(
  http: ProviderHttp,
  url: string,
  params: { db: string; login: string; password: string },
): Promise<OdooReply> {
  const response = await http.request({
    method: "POST",
    url: `${url}/web/session/authenticate`,
    json: { jsonrpc: "2.0", method: "call", params },
    isIdempotent: false,
  });
  if (isRedirect(response.status)) throw new FieldError("url", explanations.moved);
  const reply = readReply(response);
  if (!reply) throw new FieldError("url", explanations.notOdoo);
  return reply;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function toRefusal(fault: OdooFault): Error {
  if (isNamed(fault, "AccessDenied")) return new AuthError("incorrect_username_or_password");
  if (isUnknownDatabase(fault)) return new FieldError("database", explanations.unknownDatabase);
  if (fault.name.startsWith("psycopg2.")) return new ProviderDown("the database behind Odoo fails");
  return new ProviderBug("Odoo failed at the sign-in in a way of its own");
}

/** In turn: a server that lists its databases to itself, one that just connects, and a database that holds no Odoo. */
function isUnknownDatabase(fault: OdooFault): boolean {
  if (isNamed(fault, "AccessError")) return fault.message === "Database not found.";
  if (isNamed(fault, "OperationalError")) return fault.message.includes("does not exist");
  return isNamed(fault, "KeyError") && fault.arguments[0] === "res.users";
}
