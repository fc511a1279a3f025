import { defineReader } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { defineFields } from "../kit/fields.ts";
import { country, records, recordsOf, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { api, fieldOf } from "./xero-client.ts";

/** As accounting has it, whose records begin each name with a capital. */
const organisation = defineSource({
  OrganisationID: text,
  LegalName: text,
  Name: text,
  TaxNumber: text,
  Version: text,
  CountryCode: text,
  country: { ...country, name: "CountryCode" },
  Addresses: records,
  address: {
    AddressLine1: text,
    AddressLine2: text,
    AddressLine3: text,
    AddressLine4: text,
    City: text,
    Region: text,
    PostalCode: text,
    Country: country,
  },
});

const fields = defineFields("company", organisation, {
  remote_id: "OrganisationID",
  legal_name: "LegalName",
  display_name: "Name",
  tax_id: "TaxNumber",
  address: {
    street_address: organisation.joined([
      "address.AddressLine1",
      "address.AddressLine2",
      "address.AddressLine3",
      "address.AddressLine4",
    ]),
    locality: "address.City",
    administrative_area: "address.Region",
    country: organisation.first("address.Country", "country"),
    post_code: "address.PostalCode",
  },
});

export const company = defineReader<"company", object>({
  async *fetch(context) {
    const found = await readOrganisation(api.inRead(context));
    yield [{ ...found, address: chooseAddress(organisation.read(found, "Addresses") ?? []) }];
  },
  table: fields,
});

export async function readOrganisation(client: RestClient): Promise<object> {
  const body = await client.get("/api.xro/2.0/Organisation");
  const [found] = recordsOf(fieldOf(body, "Organisations"));
  if (!found) throw new ProviderBug("Xero answered without the organisation");
  return found;
}

export function isOfBritain(found: object): boolean {
  const signs = [organisation.read(found, "Version"), organisation.read(found, "CountryCode")];
  return (
    signs.every((sign) => sign === null) || signs.some((sign) => sign === "UK" || sign === "GB")
  );
}

function chooseAddress(addresses: readonly object[]): object | undefined {
  const ofType = (type: string) => addresses.find((one) => fieldOf(one, "AddressType") === type);
  return ofType("STREET") ?? ofType("POBOX");
}
