import { defineReader } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { country, flag, text } from "../kit/readers.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import { listOf, openCompany, wholeListOf } from "./gusto-client.ts";

export const addressShape = {
  street_1: text,
  street_2: text,
  city: text,
  state: text,
  zip: text,
  country,
};

/** An address of ours. Gusto writes a country as `USA`. */
export function toAddress(address: Parts<typeof addressShape> | null) {
  if (address === null || Object.values(address).every((part) => part === null)) return null;
  const { street_1, street_2, city, state, zip, country: code } = address;
  return {
    street_address: [street_1, street_2].filter(Boolean).join(", ") || null,
    locality: city,
    administrative_area: state,
    country: code,
    post_code: zip,
  };
}

export const asAddress = "both lines of the street as one, city, state, zip and country";

const business = defineSource({
  uuid: text,
  name: text,
  trade_name: text,
  ein: text,
  /** Of the list of locations. */
  seat: addressShape,
});

const companyFields = defineFields("company", business, {
  remote_id: "uuid",
  legal_name: "name",
  display_name: business.first("trade_name", "name"),
  tax_id: "ein",
  address: business.from(["seat"], toAddress),
}).says({ address: `of the location where the company files, else of its mail; ${asAddress}` });

export const company = defineReader<"company", object>({
  async *fetch(context, session) {
    const { client, path } = openCompany(context, session);
    const places = await client.all(listOf(`${path}/locations`));
    const seat =
      places.find((one) => place.read(one, "filing_address")) ??
      places.find((one) => place.read(one, "mailing_address")) ??
      places[0];
    yield [{ ...((await client.get(path)) as object), seat }];
  },
  table: companyFields,
});

const department = defineSource({ uuid: text, title: text });

export const groups = defineReader<"groups", unknown>({
  async *fetch(context, session) {
    const { client, path } = openCompany(context, session);
    yield await client.all(wholeListOf(`${path}/departments`));
  },
  table: defineFields("groups", department, {
    remote_id: "uuid",
    name: "title",
    type: always("department"),
  }),
});

const place = defineSource({
  uuid: text,
  address: addressShape,
  active: flag,
  filing_address: flag,
  mailing_address: flag,
});

const placeFields = defineFields("work-locations", place, {
  remote_id: "uuid",
  address: place.from(["address"], toAddress),
}).says({ address: asAddress });

/** Gusto has an address in place of a name. A location that is not active any more is left out. */
export const workLocations = defineReader<"work-locations", object>({
  async *fetch(context, session) {
    const { client, path } = openCompany(context, session);
    for await (const { items } of client.pages(listOf(`${path}/locations`)))
      yield (items as readonly object[]).map((one) => ({ ...one, address: one }));
  },
  table: placeFields,
  map: (raw, context) =>
    place.read(raw, "active") === false ? null : placeFields.map(raw, context),
});
