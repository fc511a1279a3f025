import { countries } from "../../model/index.ts";
import type { SourceRecord } from "../source-records.ts";
import { toText, type XeroRecord } from "./field-values.ts";

type Address = NonNullable<SourceRecord<"company">["address"]>;
type Country = (typeof countries)[number];

const englishNames = new Intl.DisplayNames(["en"], { type: "region" });

/** Xero has countries as names, in capitals or not. */
const codes: ReadonlyMap<string, Country> = new Map([
  ...countries.map((code) => [(englishNames.of(code) ?? code).toUpperCase(), code] as const),
  ...countries.map((code) => [code, code] as const),
  ["UK", "GB"],
  ["GREAT BRITAIN", "GB"],
  ["ENGLAND", "GB"],
  ["SCOTLAND", "GB"],
  ["WALES", "GB"],
  ["NORTHERN IRELAND", "GB"],
  ["REPUBLIC OF IRELAND", "IE"],
  ["USA", "US"],
  ["UNITED STATES OF AMERICA", "US"],
]);

/** Of a person. */
export function toHomeAddress(address: XeroRecord | null): Address | null {
  return orNull({
    street_address: join([toText(address, "addressLine1"), toText(address, "addressLine2")]),
    locality: toText(address, "city"),
    administrative_area: toText(address, "county"),
    country: toCountry(toText(address, "countryName")),
    post_code: toText(address, "postCode"),
  });
}

/** Of an organisation, whose records begin each name with a capital. */
export function toOrganisationAddress(
  address: XeroRecord | null,
  countryCode: string | null,
): Address | null {
  const lines = [1, 2, 3, 4].map((line) => toText(address, `AddressLine${line}`));
  const found = orNull({
    street_address: join(lines),
    locality: toText(address, "City"),
    administrative_area: toText(address, "Region"),
    country: toCountry(toText(address, "Country")),
    post_code: toText(address, "PostalCode"),
  });
  const country = found?.country ?? toCountry(countryCode);
  return found || country ? { ...(found ?? emptyAddress), country } : null;
}

const emptyAddress: Address = {
  street_address: null,
  locality: null,
  administrative_area: null,
  country: null,
  post_code: null,
};

/** Null for a name that is not known, and for a country outside of the specification. */
function toCountry(name: string | null): Country | null {
  return codes.get(name?.toUpperCase() ?? "") ?? null;
}

function join(parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(", ") || null;
}

function orNull(address: Address): Address | null {
  return Object.values(address).some((part) => part !== null) ? address : null;
}
