import { defineReader } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { country, list, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { regionNote, toRegion } from "../kit/to-region.ts";
import { timeZone } from "../kit/text-readers.ts";
import { api, id, listOf, lookUp, readAll, readCredential, readPages } from "./client.ts";

export const addressShape = {
  address_line_1: text,
  address_line_2: text,
  city: text,
  state: text,
  postal_code: text,
  country,
};

/** A legal entity, or a place. */
export const site = defineSource({
  id,
  legal_name: text,
  tin: text,
  currency: text,
  name: text,
  timezone: timeZone,
  ...addressShape,
  // What the read has put in.
  account: { name: text },
});

const address = {
  street_address: site.joined(["address_line_1", "address_line_2"]),
  locality: "city",
  administrative_area: site.from(["country", "state"], toRegion),
  country: "country",
  post_code: "postal_code",
} as const;

export const entities = listOf("companies/legal_entities");

/** Each legal entity is a company of ours. The account has one name, which is that of a single one. */
export const company = defineReader<"company", object>({
  async *fetch(context) {
    const found = await readAll(context, entities);
    const account = found.length === 1 ? await readCredential(api.inRead(context)) : undefined;
    yield found.map((one) => ({ ...one, account }));
  },
  table: defineFields("company", site, {
    remote_id: "id",
    legal_name: "legal_name",
    display_name: site.first("account.name", "legal_name"),
    tax_id: "tin",
    address,
  }).says({ "address.administrative_area": regionNote }),
});

export const team = defineSource({ id, name: text, employee_ids: list(id) });
export const teams = listOf("teams/teams");

const groupFields = defineFields("groups", team, {
  remote_id: "id",
  name: "name",
  type: always("team"),
});

export const groups = defineReader<"groups", object>({
  fetch: (context) => readPages(context, teams),
  table: groupFields,
});

export const places = listOf("locations/locations");
export const placesOf = lookUp(places);

export const workLocations = defineReader<"work-locations", object>({
  fetch: (context) => readPages(context, places),
  table: defineFields("work-locations", site, { remote_id: "id", name: "name", address }).says({
    "address.administrative_area": regionNote,
  }),
});
