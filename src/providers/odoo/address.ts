import { countries } from "../../model/index.ts";
import type { SourceRecord } from "../source-records.ts";
import { toRelated, toText, type OdooRecord } from "./field-values.ts";
import { plainFields } from "./record-reader.ts";

type Address = NonNullable<SourceRecord<"company">["address"]>;

export const countryFields = plainFields("code");
export const stateFields = plainFields("code", "name");
/** Fields of a company or a partner. Odoo calls everything that has an address a partner. */
export const addressFields = {
  ...plainFields("street", "street2", "city", "zip"),
  state_id: stateFields,
  country_id: countryFields,
};

/** Reads the fields that begin with the prefix. Null when all of them are empty. */
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
