import type { FormValues, SignInContext } from "../contract.ts";
import { FieldError } from "../errors.ts";
import { explanations } from "./explanations.ts";
import { parseSession } from "./odoo-session.ts";
import { toOrigin } from "./sign-in-form.ts";

/**
 * The address, and the database that was typed or is connected; empty when neither is. Another person may
 * sign in again, but not to another Odoo: its records would be taken for the known ones.
 */
export function findPlace(
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
