import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { addressFields, toAddress } from "./address.ts";
import { ofReadCompanies } from "./choose-company.ts";
import { isFalse, toText, type OdooRecord } from "./field-values.ts";
import { plainFields } from "./record-reader.ts";
import { openResource } from "./rights.ts";

const companyFields = { ...plainFields("active", "name", "vat"), ...addressFields };

/** The companies that the account may work in, or the one that was chosen of them. */
export const company = defineReader<"company", OdooRecord>({
  async *fetch(context, session) {
    const { odoo, reader } = await openResource(context, session, "company");
    yield* reader.readPages("res.company", companyFields, await ofReadCompanies(odoo, "id"));
  },
  map: toCompany,
});

function toCompany(record: OdooRecord): SourceRecord<"company"> | null {
  if (isFalse(record, "active")) return null;
  const name = toText(record, "name");
  const taxId = toText(record, "vat");
  // In Odoo a slash means that the company has no such number.
  return {
    remote_id: String(record.id),
    legal_name: name,
    display_name: name,
    tax_id: taxId === "/" ? null : taxId,
    address: toAddress(record),
  };
}
