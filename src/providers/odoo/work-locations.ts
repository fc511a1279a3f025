import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { addressFields, toAddress } from "./address.ts";
import { ofReadCompanies } from "./choose-company.ts";
import { isFalse, toRelated, toText, type OdooRecord } from "./field-values.ts";
import { plainFields } from "./record-reader.ts";
import { openResource } from "./rights.ts";

export const workLocationFields = {
  ...plainFields("active", "name", "location_type"),
  address_id: addressFields,
};

export const workLocations = defineReader<"work-locations", OdooRecord>({
  async *fetch(context, session) {
    const { odoo, reader } = await openResource(context, session, "work-locations");
    const own = await ofReadCompanies(odoo, "company_id");
    yield* reader.readPages("hr.work.location", workLocationFields, own);
  },
  map: (record) => (isFalse(record, "active") ? null : toWorkLocation(record)),
});

export function toWorkLocation(
  record: OdooRecord,
): SourceRecord<"work-locations"> & { remote_id: string } {
  return {
    remote_id: String(record.id),
    name: toText(record, "name"),
    type: toText(record, "location_type"),
    address: toAddress(toRelated(record, "address_id")),
  };
}
