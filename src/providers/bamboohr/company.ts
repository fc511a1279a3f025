import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { BambooClient } from "./bamboohr-client.ts";
import { requireRecord, toRecord, toText, type BambooRecord } from "./field-values.ts";
import { joinStreets, toAddress } from "./references.ts";

interface RawCompany {
  domain: string;
  information: BambooRecord;
}

export const company = defineReader<"company", RawCompany>({
  async *fetch(context, session) {
    const client = new BambooClient(context, session);
    const answer = await client.ask({ path: "/api/v1/company_information" });
    const information = requireRecord(answer, "the company");
    yield [{ domain: client.session.domain, information }];
  },
  map: toCompany,
});

/** A company of BambooHR has no id but its domain, no country and no tax number. */
export function toCompany({ domain, information }: RawCompany): SourceRecord<"company"> {
  const address = toRecord(information["address"]);
  return {
    remote_id: domain,
    legal_name: toText(information["legalName"]),
    display_name: toText(information["displayName"]),
    tax_id: null,
    address: toAddress({
      street_address: joinStreets(address["line1"], address["line2"]),
      locality: toText(address["city"]),
      administrative_area: toText(address["state"]),
      country: null,
      post_code: toText(address["zip"]),
    }),
  };
}
