import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { addressFields, toAddress } from "./address.ts";
import { toRelated, toText, type OdooRecord } from "./field-values.ts";
import { OdooClient } from "./odoo-client.ts";
import { plainFields, RecordReader } from "./record-reader.ts";

export const workLocationFields = {
  ...plainFields("name", "location_type"),
  address_id: addressFields,
};

export const workLocations = defineReader<"work-locations", OdooRecord>({
  fetch: (context, session) =>
    new RecordReader(new OdooClient(context, session)).readPages(
      "hr.work.location",
      workLocationFields,
    ),
  map: toWorkLocation,
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
