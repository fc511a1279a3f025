import { defineReader, type ReadContext, type Session } from "../contract.ts";
import { AuthError } from "../errors.ts";
import { always, defineFields } from "../kit/fields.ts";
import { country, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { listOf, openBusiness, region, regions, type Wire } from "./client.ts";

const business = defineSource({
  id: text,
  name: text,
  legalName: text,
  abn: text,
  nzbn: text,
  uen: text,
  crn: text,
  blockNumber: text,
  levelNumber: text,
  unitNumber: text,
  addressLine1: text,
  addressLine2: text,
  addressLine3: text,
  suburb: text,
  city: text,
  state: text,
  county: text,
  postCode: text,
  region,
});

const companyFields = defineFields("company", business, {
  remote_id: "id",
  display_name: "name",
  legal_name: "legalName",
  tax_id: business.first("abn", "nzbn", "uen", "crn"),
  address: {
    street_address: business.joined([
      "blockNumber",
      "levelNumber",
      "unitNumber",
      "addressLine1",
      "addressLine2",
      "addressLine3",
    ]),
    locality: business.first("suburb", "city"),
    administrative_area: business.first("state", "county"),
    post_code: "postCode",
    country: business.from(["region"], (name) => name && regions[name].country),
  },
}).says({
  tax_id: "the number of the business in its country; null in the United Kingdom",
  "address.country": "that of the payroll",
});

/** The business that was chosen at the sign-in, and no other one when it is gone. */
export const company = defineReader<"company", object>({
  async *fetch(context, session) {
    const { client, path, region: name } = openBusiness(context, session);
    const errors = { 404: () => new AuthError("reauthentication_required") };
    yield [{ ...((await client.get(path, { errors })) as object), region: name }];
  },
  table: companyFields,
});

async function* readList(context: ReadContext, session: Session, list: string) {
  const { client, path, region: name } = openBusiness(context, session);
  for await (const { items } of client.pages(listOf(`${path}/${list}`)))
    yield items.map((one) => ({ ...(one as Wire), region: name }));
}

const schedule = defineSource({ id: text, name: text });

/** Employee groups are rules and name nobody, so they are none. */
export const groups = defineReader<"groups", object>({
  isPagedByOffset: true,
  fetch: (context, session) => readList(context, session, "payschedule"),
  table: defineFields("groups", schedule, {
    remote_id: "id",
    name: "name",
    type: always("pay_group"),
  }),
});

const location = defineSource({
  id: text,
  name: text,
  fullyQualifiedName: text,
  state: text,
  country,
});

const locationFields = defineFields("work-locations", location, {
  remote_id: "id",
  name: location.first("fullyQualifiedName", "name"),
  address: { administrative_area: "state", country: "country" },
});

export const workLocations = defineReader<"work-locations", object>({
  isPagedByOffset: true,
  fetch: (context, session) => readList(context, session, "location"),
  table: locationFields,
});

/** Where somebody works, as the list of places has it. */
export function toPlace(found: Wire | null, today: string) {
  const place = found && locationFields.map(found, { today });
  return place && { ...place, remote_id: place.remote_id ?? null };
}
