// Xero's payroll is another one in each country. The sign-in is the same: the organisation tells which one it is.
import type { ReadContext } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { lookup } from "../kit/lookup.ts";
import { called, oneOf } from "../kit/readers.ts";
import { readOrganisation, toCountry } from "./company.ts";
import { api, type Country } from "./xero-client.ts";

/** By the country, which each raw record has beside what Xero says. */
export const currency = called("country", oneOf({ GB: "gbp", NZ: "nzd", AU: "aud" }));

const known = lookup<Country | null>(async (context) => {
  const told = await context.withSession(async (session) => api.parse(session).country);
  const country =
    told === undefined ? toCountry(await readOrganisation(api.inRead(context))) : told;
  return [["country", country ?? null]];
});

/** As it was told at the sign-in, else as the organisation says now. Throws for one without a payroll of Xero's. */
export async function countryOf(context: ReadContext): Promise<Country> {
  const country = (await known(context)).get("country");
  if (country) return country;
  throw new OperationNotSupported("Xero has no payroll for organisations of this country");
}
