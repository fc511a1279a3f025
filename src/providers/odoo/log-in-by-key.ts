import type { FormValues, SignInContext, SignInResult } from "../contract.ts";
import { AuthError, FieldError } from "../errors.ts";
import { chooseCompany } from "./choose-company.ts";
import { explanations } from "./explanations.ts";
import { readKeyInfo } from "./key-transport.ts";
import { findDatabase, requireOdoo } from "./odoo-server.ts";
import { findPlace } from "./sign-in-place.ts";

const firstVersion = 19;
/** What a header can carry. No key and no name of a database that Odoo makes has anything else. */
const headerText = /^[\x21-\x7e]*$/;

/** A key is sent only to a server that has answered as Odoo does. */
export async function logInByKey(
  context: SignInContext,
  formValues: FormValues,
): Promise<SignInResult> {
  const { url, database: wanted } = findPlace(context, formValues);
  const http = context.http(url);
  const { version } = await requireOdoo(http, url);
  if (version < firstVersion) throw new FieldError("url", explanations.tooOld);
  const database = await findDatabase(http, url, wanted);
  if (!headerText.test(database ?? ""))
    throw new FieldError("database", explanations.unknownDatabase);
  const place = { url, database, key: (formValues["key"] ?? "").trim() };
  if (!headerText.test(place.key)) throw new AuthError("incorrect_username_or_password");
  try {
    const info = await readKeyInfo(http, place);
    if (!info && database === null) throw new FieldError("database", explanations.hiddenDatabases);
    if (!info) throw new FieldError("database", explanations.unknownDatabase);
    return await chooseCompany(context, { ...place, uid: info.uid });
  } catch (error) {
    const isRefused = error instanceof AuthError && error.code === "reauthentication_required";
    throw isRefused ? new AuthError("incorrect_username_or_password") : error;
  }
}
