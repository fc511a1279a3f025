import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { addressFields, toAddress } from "./address.ts";
import { isFalse, toRelated, toText, type OdooRecord } from "./field-values.ts";
import { plainFields } from "./record-reader.ts";
import { openResource } from "./rights.ts";

export const workLocationFields = {
  ...plainFields("active", "name", "location_type"),
  address_id: addressFields,
};

export const workLocations = defineReader<"work-locations", OdooRecord>({
  async *fetch(context, session) {
    const { reader } = await openResource(context, session, "work-locations");
    yield* reader.readPages("hr.work.location", workLocationFields);
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
