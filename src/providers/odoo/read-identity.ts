import type { Identity } from "../../model/index.ts";
import type { ProviderContext, Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { toText, type OdooRecord } from "./field-values.ts";
import { OdooClient } from "./odoo-client.ts";
import { plainFields, RecordReader } from "./record-reader.ts";

const userFields = plainFields("name", "login", "email", "phone");

export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  const odoo = new OdooClient(context, session);
  const [user] = await new RecordReader(odoo).readAll("res.users", userFields, [
    ["id", "=", odoo.uid],
  ]);
  if (!user) throw new ProviderBug("Odoo does not return the record of the user who signed in");
  return toIdentity(user);
}

/** Every user has a login, which is mostly an e-mail address. */
export function toIdentity(user: OdooRecord): Identity {
  const login = toText(user, "login") ?? "";
  return {
    name: toText(user, "name") ?? login,
    email: toText(user, "email") ?? (/^[^\s@]+@[^\s@]+$/.test(login) ? login : ""),
    phone_number: toText(user, "phone"),
  };
}
