import { z } from "zod";
import { orNull, text } from "./field.ts";

/** The country codes of the specification. A source's other codes become null. */
export const countries = [
  "BZ", "CA", "CR", "GT", "MX", "PA", "SV", "US", "AR", "BR", "CL", "CO", "PE", "AT", "BE", "CH", "CY", "CZ", "DE", "DK", "EE", "ES",
  "FI", "FR", "GB", "GR", "IE", "IM", "IS", "IT", "LI", "LT", "LU", "LV", "MK", "NL", "NO", "PL", "PT", "RO", "RU", "SE", "SK", "BD",
  "CN", "HK", "ID", "IL", "IN", "JP", "KR", "KZ", "MO", "MY", "PH", "PK", "PS", "SA", "SG", "TH", "TJ", "TM", "TR", "TW", "VN", "ZA",
  "AU", "NZ",
] as const;

export const address = z
  .object({
    street_address: orNull(text),
    locality: orNull(text),
    administrative_area: orNull(text).describe("Two-letter state or province abbreviation for US and CA; otherwise its name"),
    country: orNull(z.enum(countries)).describe("ISO 3166 two-letter country code"),
    post_code: orNull(text),
  })
  .meta({ id: "Address", examples: [{ street_address: "14 Larkfield Wharf", locality: "London", administrative_area: "Greater London", country: "GB", post_code: "SE1 0AA" }] });

export type Address = z.output<typeof address>;
