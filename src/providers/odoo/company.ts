import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { addressFields, toAddress } from "./address.ts";
import { isFalse, toText, type OdooRecord } from "./field-values.ts";
import { OdooClient } from "./odoo-client.ts";
import { plainFields, RecordReader } from "./record-reader.ts";

const companyFields = { ...plainFields("active", "name", "vat"), ...addressFields };

/** The companies of the server that the account may work in. */
export const company = defineReader<"company", OdooRecord>({
  fetch: (context, session) =>
    new RecordReader(new OdooClient(context, session)).readPages("res.company", companyFields),
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
