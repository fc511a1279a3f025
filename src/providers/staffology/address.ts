import type { SourceRecord } from "../source-records.ts";
import { text } from "../kit/readers.ts";
import type { Parts } from "../kit/source.ts";

type Address = NonNullable<SourceRecord<"company">["address"]>;

export const address = {
  line1: text,
  line2: text,
  line3: text,
  line4: text,
  line5: text,
  postCode: text,
  country: text,
};

/** The country of an address outside of the United Kingdom is free text, so it is not known as a code. */
const partsOfUk = new Set(["England", "Scotland", "Wales", "NorthernIreland", "Uk"]);

/** Staffology numbers its lines: the third is the town, the fourth or fifth the county. */
export function toAddress(parsed: Parts<typeof address> | null): Address | null {
  if (!parsed) return null;
  const { line1, line2, line3, line4, line5, postCode, country } = parsed;
  const lines = {
    street_address: [line1, line2].filter((line) => line !== null).join(", ") || null,
    locality: line3,
    administrative_area: line4 ?? line5,
    post_code: postCode,
  };
  // A country alone is what Staffology sets by itself.
  if (Object.values(lines).every((value) => value === null)) return null;
  return { ...lines, country: country !== null && partsOfUk.has(country) ? "GB" : null };
}
