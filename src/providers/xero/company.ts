import { defineReader } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { defineFields } from "../kit/fields.ts";
import { called, country, oneOf, records, recordsOf, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { defineSource, fieldOf } from "../kit/source.ts";
import { api, type Country } from "./xero-client.ts";

/** As accounting has it, whose records begin each name with a capital. */
const organisation = defineSource({
  OrganisationID: text,
  LegalName: text,
  Name: text,
  TaxNumber: text,
  Version: text,
  CountryCode: text,
  country: called("CountryCode", country),
  edition: called(
    "Version",
    oneOf(
      { UK: "GB", UKONRAMP: "GB", NZ: "NZ", NZONRAMP: "NZ", AU: "AU", AUONRAMP: "AU" },
      { otherwise: null },
    ),
  ),
  countryOfPayroll: called(
    "CountryCode",
    oneOf({ GB: "GB", UK: "GB", NZ: "NZ", AU: "AU" }, { otherwise: null }),
  ),
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
}).says({ tax_id: "null in Australia, where it is a tax file number" });

export const company = defineReader<"company", object>({
  async *fetch(context) {
    const found = await readOrganisation(api.inRead(context));
    const address = chooseAddress(organisation.read(found, "Addresses") ?? []);
    // In Australia it is a tax file number, whose use the law restricts.
    const isRestricted = toCountry(found) === "AU";
    yield [{ ...found, address, ...(isRestricted && { TaxNumber: null }) }];
  },
  table: fields,
});

export async function readOrganisation(client: RestClient): Promise<object> {
  const body = await client.get("/api.xro/2.0/Organisation");
  const [found] = recordsOf(fieldOf(body, "Organisations"));
  if (!found) throw new ProviderBug("Xero answered without the organisation");
  return found;
}

/** Which payroll it has; null without one. What names neither edition nor country counts as British. */
export function toCountry(found: object): Country | null {
  const { edition, countryOfPayroll, Version, CountryCode } = organisation.parts(found);
  if (Version === null && CountryCode === null) return "GB";
  return edition ?? countryOfPayroll;
}

function chooseAddress(addresses: readonly object[]): object | undefined {
  const ofType = (type: string) => addresses.find((one) => fieldOf(one, "AddressType") === type);
  return ofType("STREET") ?? ofType("POBOX");
}
