import { countries } from "../../model/index.ts";
import type { SourceRecord } from "../source-records.ts";
import { toRelated, toText, type OdooRecord } from "./field-values.ts";
import { plainFields } from "./record-reader.ts";

type Address = NonNullable<SourceRecord<"company">["address"]>;

export const countryFields = plainFields("code");
export const stateFields = plainFields("code", "name");
/** Of a company and of a partner, which is what Odoo calls whatever has an address. */
export const addressFields = {
  ...plainFields("street", "street2", "city", "zip"),
  state_id: stateFields,
  country_id: countryFields,
};

/** The address in the fields that begin with the prefix; null when there is nothing in them. */
export function toAddress(record: OdooRecord | null, prefix: "" | "private_" = ""): Address | null {
  const country = toText(toRelated(record, `${prefix}country_id`), "code");
  const state = toRelated(record, `${prefix}state_id`);
  const streets = [toText(record, `${prefix}street`), toText(record, `${prefix}street2`)].filter(
    (street) => street !== null,
  );
  const address = {
    street_address: streets.join(", ") || null,
    locality: toText(record, `${prefix}city`),
    administrative_area: toText(state, country === "US" || country === "CA" ? "code" : "name"),
    country: countries.find((code) => code === country) ?? null,
    post_code: toText(record, `${prefix}zip`),
  };
  return Object.values(address).some((part) => part !== null) ? address : null;
}
