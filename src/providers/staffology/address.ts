import type { SourceRecord } from "../source-records.ts";
import { called, country as countryByName, text } from "../kit/readers.ts";
import type { Parts } from "../kit/source.ts";
import { regionNote, toRegion } from "../kit/to-region.ts";

type Address = NonNullable<SourceRecord<"company">["address"]>;

export const address = {
  line1: text,
  line2: text,
  line3: text,
  line4: text,
  line5: text,
  postCode: text,
  country: text,
  /** Of an address outside of the United Kingdom, in words. */
  abroad: called("foreignCountry", countryByName),
};

const partsOfUk = new Set(["England", "Scotland", "Wales", "NorthernIreland", "Uk"]);

/** What the tables of fields say of it. */
export const addressNote = `by the numbers of its lines; a country abroad by its name; a region ${regionNote}`;

/** Staffology numbers its lines: the third is the town, the fourth or fifth the county. */
export function toAddress(parsed: Parts<typeof address> | null): Address | null {
  if (!parsed) return null;
  const { line1, line2, line3, line4, line5, postCode, country: part, abroad } = parsed;
  const country = partsOfUk.has(part ?? "") ? "GB" : abroad;
  const lines = {
    street_address: [line1, line2].filter((line) => line !== null).join(", ") || null,
    locality: line3,
    administrative_area: toRegion(country, line4 ?? line5),
    post_code: postCode,
  };
  // A country alone is what Staffology sets by itself.
  if (Object.values(lines).every((value) => value === null)) return null;
  return { ...lines, country };
}
