import { defineReader, type ProviderContext } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { toOrganisationAddress } from "./address.ts";
import { toRecords, toText, type XeroRecord } from "./field-values.ts";
import { askOrganisation } from "./xero-client.ts";
import { parseSession, type XeroSession } from "./xero-session.ts";

export const company = defineReader<"company", XeroRecord>({
  async *fetch(context) {
    yield [
      await context.withSession((session) => readOrganisation(context, parseSession(session))),
    ];
  },
  map: toCompany,
});

export async function readOrganisation(
  context: Pick<ProviderContext, "http">,
  session: XeroSession,
): Promise<XeroRecord> {
  const { body } = await askOrganisation(context, session);
  const [organisation] = toRecords(body["Organisations"]);
  if (!organisation) throw new ProviderBug("Xero answered without the organisation");
  return organisation;
}

export function toCompany(organisation: XeroRecord): SourceRecord<"company"> {
  const addresses = toRecords(organisation["Addresses"]);
  const ofType = (type: string) => addresses.find((one) => toText(one, "AddressType") === type);
  return {
    remote_id: toText(organisation, "OrganisationID"),
    legal_name: toText(organisation, "LegalName"),
    display_name: toText(organisation, "Name"),
    tax_id: toText(organisation, "TaxNumber"),
    address: toOrganisationAddress(
      ofType("STREET") ?? ofType("POBOX") ?? null,
      toText(organisation, "CountryCode"),
    ),
  };
}
