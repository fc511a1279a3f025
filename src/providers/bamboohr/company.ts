import { defineReader } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { defineFields } from "../kit/fields.ts";
import { given, text } from "../kit/readers.ts";
import { defineSource, isRecord } from "../kit/source.ts";
import { api } from "./client.ts";
import { joinStreets } from "./lists.ts";

const information = defineSource({
  domain: given<string>(),
  legalName: text,
  displayName: text,
  address: { line1: text, line2: text, city: text, state: text, zip: text },
});

/** A company of BambooHR has no id but its domain, no country and no tax number. */
const companyFields = defineFields("company", information, {
  remote_id: "domain",
  legal_name: "legalName",
  display_name: "displayName",
  address: {
    street_address: information.from(["address.line1", "address.line2"], joinStreets),
    locality: "address.city",
    administrative_area: "address.state",
    post_code: "address.zip",
  },
});

export const companyPath = "/api/v1/company_information";

export const company = defineReader<"company", object>({
  async *fetch(context, session) {
    const answer = await api.inRead(context).get(companyPath);
    if (!isRecord(answer)) throw new ProviderBug("BambooHR's company is no record");
    yield [{ ...answer, domain: api.parse(session).domain }];
  },
  table: companyFields,
});
