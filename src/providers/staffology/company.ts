import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { flag, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { address, addressNote, toAddress } from "./address.ts";
import { openEmployer } from "./staffology-client.ts";

const employer = defineSource({
  id: text,
  name: text,
  displayName: text,
  archived: flag,
  address,
  hmrcDetails: { officeNumber: text, payeReference: text },
});

const companyFields = defineFields("company", employer, {
  remote_id: "id",
  legal_name: employer.first("name", "displayName"),
  display_name: employer.first("displayName", "name"),
  // By which the tax office knows an employer, such as 123/AB456. Some write the number of the office into both fields.
  tax_id: employer.from(["hmrcDetails"], (details) => {
    const { officeNumber = null, payeReference = null } = details ?? {};
    if (payeReference === null) return null;
    return officeNumber === null || payeReference.includes("/")
      ? payeReference
      : `${officeNumber}/${payeReference}`;
  }),
  address: employer.from(["address"], toAddress),
}).says({
  tax_id: "the PAYE reference, with the number of the office",
  address: addressNote,
});

/** The employer that was chosen at the sign-in. */
export const company = defineReader<"company", unknown>({
  async *fetch(context, session) {
    const { client, path } = openEmployer(context, session);
    yield [await client.get(path)];
  },
  table: companyFields,
  map: (raw, context) => (employer.read(raw, "archived") ? null : companyFields.map(raw, context)),
});
