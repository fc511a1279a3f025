import { z } from "zod";
import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { address, toAddress } from "./address.ts";
import { openEmployer } from "./staffology-client.ts";
import { flag, part, text } from "./wire-values.ts";

const employer = z.object({
  id: z.string(),
  name: text,
  displayName: text,
  archived: flag,
  address,
  hmrcDetails: part({ officeNumber: text, payeReference: text }),
});

/** The employer that was chosen at the sign-in. */
export const company = defineReader<"company", unknown>({
  async *fetch(context, session) {
    const { client, path } = openEmployer(context, session);
    yield [await client.get(path)];
  },
  map: toCompany,
});

export function toCompany(raw: unknown): SourceRecord<"company"> | null {
  const { id, name, displayName, archived, hmrcDetails, ...rest } = employer.parse(raw);
  if (archived) return null;
  return {
    remote_id: id,
    legal_name: name ?? displayName,
    display_name: displayName ?? name,
    tax_id: toPayeReference(hmrcDetails),
    address: toAddress(rest.address),
  };
}

/** By which the tax office knows an employer, such as 123/AB456. Some write the number of the office into both fields. */
function toPayeReference(
  details: { officeNumber: string | null; payeReference: string | null } | null,
): string | null {
  const { officeNumber, payeReference } = details ?? {};
  if (!payeReference) return null;
  return !officeNumber || payeReference.includes("/")
    ? payeReference
    : `${officeNumber}/${payeReference}`;
}
