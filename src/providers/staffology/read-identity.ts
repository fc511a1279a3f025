import { z } from "zod";
import type { Identity } from "../../model/index.ts";
import type { ProviderContext, Session } from "../contract.ts";
import { openEmployer } from "./staffology-client.ts";
import { text } from "./wire-values.ts";

const user = z.object({
  firstName: text,
  lastName: text,
  emailAddress: text,
  telephoneNumber: text,
});

/** The user whose key it is. */
export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  return toIdentity(await openEmployer(context, session).client.get("/account"));
}

export function toIdentity(raw: unknown): Identity {
  const { firstName, lastName, emailAddress, telephoneNumber } = user.parse(raw);
  const name = [firstName, lastName].filter((part) => part !== null).join(" ");
  return {
    name: name === "" ? (emailAddress ?? "") : name,
    email: emailAddress ?? "",
    phone_number: telephoneNumber,
  };
}
