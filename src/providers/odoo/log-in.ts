import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { FormValues, SignInContext, SignInResult } from "../contract.ts";
import { AuthError, FieldError, ProviderBug, ProviderDown } from "../errors.ts";
import { chooseCompany } from "./choose-company.ts";
import { explanations } from "./explanations.ts";
import { isNamed, isRedirect, readReply, type OdooFault, type OdooReply } from "./odoo-reply.ts";
import { requireDatabase, requireOdoo } from "./odoo-server.ts";
import type { PersonSession } from "./odoo-session.ts";
import { askSecondFactor } from "./second-factor.ts";
import { findPlace } from "./sign-in-place.ts";

const signedIn = z.object({ uid: z.int().positive() });

export async function logIn(context: SignInContext, formValues: FormValues): Promise<SignInResult> {
  const { url, database: wanted } = findPlace(context, formValues);
  const http = context.http(url);
  await requireOdoo(http, url);
  const database = await requireDatabase(http, url, wanted);
  const reply = await sendPassword(http, url, {
    db: database,
    login: (formValues["username"] ?? "").trim(),
    password: formValues["password"] ?? "",
  });
  if ("fault" in reply) throw toRefusal(reply.fault);
  const { data } = signedIn.safeParse(reply.result);
  if (!data) return await askSecondFactor(http, { url, database });
  const cookies = http.exportCookies();
  return await chooseCompany(context, {
    url,
    database,
    cookies,
    uid: data.uid,
  } satisfies PersonSession);
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
  if (isRedirect(response)) throw new FieldError("url", explanations.moved);
  const reply = readReply(response);
  if (!reply) throw new FieldError("url", explanations.notOdoo);
  return reply;
}

function toRefusal(fault: OdooFault): Error {
  if (isNamed(fault, "AccessDenied")) return new AuthError("incorrect_username_or_password");
  if (isUnknownDatabase(fault)) return new FieldError("database", explanations.unknownDatabase);
  if (fault.name.startsWith("psycopg2.")) return new ProviderDown("Odoo's database fails");
  return new ProviderBug("Odoo answered the sign-in with an unknown fault");
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
