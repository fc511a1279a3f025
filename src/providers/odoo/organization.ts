import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { called, country as isoCountry, flag, given, nationality } from "../kit/readers.ts";
import { defineSource, type Mapping, type Parts } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import type { OdooRecord } from "./client.ts";
import { ofReadCompanies } from "./companies.ts";
import { openResource } from "./rights.ts";
import { id, text } from "./values.ts";

type Address = NonNullable<SourceRecord<"company">["address"]>;

export const country = {
  code: text,
  known: called("code", isoCountry),
  nationality: called("code", nationality),
  name: text,
};
export const state = { code: text, name: text };
/** Of a company or a partner. Odoo calls everything that has an address a partner. */
export const address = {
  street: text,
  street2: text,
  city: text,
  zip: text,
  state_id: state,
  country_id: country,
};
const addressPaths = ["street", "street2", "city", "zip", "state_id", "country_id"] as const;

/** Null when all of it is empty. */
export function toAddress(
  street: string | null,
  street2: string | null,
  city: string | null,
  zip: string | null,
  inState: Parts<typeof state> | null,
  inCountry: Parts<typeof country> | null,
): Address | null {
  const isByCode = inCountry?.known === "US" || inCountry?.known === "CA";
  const made = {
    street_address: [street, street2].filter((part) => part !== null).join(", ") || null,
    locality: city,
    administrative_area: inState?.[isByCode ? "code" : "name"] ?? null,
    country: inCountry?.known ?? null,
    post_code: zip,
  };
  return Object.values(made).some((part) => part !== null) ? made : null;
}

export function ofPartner(partner: Parts<typeof address> | null): Address | null {
  if (!partner) return null;
  const { street, street2, city, zip, state_id: inState, country_id: inCountry } = partner;
  return toAddress(street, street2, city, zip, inState, inCountry);
}

const companies = defineSource({ id: text, active: flag, name: text, vat: text, ...address });
const companyFields = defineFields("company", companies, {
  remote_id: "id",
  legal_name: "name",
  display_name: "name",
  // In Odoo a slash means that the company has no such number.
  tax_id: companies.from(["vat"], (number) => (number === "/" ? null : number)),
  address: companies.from(addressPaths, toAddress),
}).says({
  tax_id: "a slash means none",
});

/** The companies that the account may work in, or the one that was chosen of them. */
export const company = defineReader<"company", OdooRecord>({
  async *fetch(context, session) {
    const { odoo, reader } = await openResource(context, session, "company");
    const own = await ofReadCompanies(odoo, "id");
    yield* reader.readPages("res.company", companies.shape, own);
  },
  table: companyFields,
  map: (raw, context) =>
    companies.read(raw, "active") === false ? null : companyFields.map(raw, context),
});

export const place = {
  id: text,
  active: flag,
  name: text,
  location_type: text,
  address_id: address,
};
const places = defineSource(place);
const placeFields = defineFields("work-locations", places, {
  remote_id: "id",
  name: "name",
  type: "location_type",
  address: places.from(["address_id"], ofPartner),
});

/** Where somebody works. */
export function toLocation(
  location: Parts<typeof place> | null,
  name: string | null,
  partner: Parts<typeof address> | null,
): SourceRecord<"employees">["work_location"] | null {
  if (location)
    return {
      remote_id: location.active === false ? null : location.id,
      name: location.name,
      type: location.location_type,
      address: ofPartner(location.address_id),
    };
  const found = ofPartner(partner);
  return name === null && found === null
    ? null
    : { remote_id: null, name, type: null, address: found };
}

export const workLocations = defineReader<"work-locations", OdooRecord>({
  async *fetch(context, session) {
    const { odoo, reader } = await openResource(context, session, "work-locations");
    const own = await ofReadCompanies(odoo, "company_id");
    yield* reader.readPages("hr.work.location", place, own);
  },
  table: placeFields,
  map: (raw, context) =>
    places.read(raw, "active") === false ? null : placeFields.map(raw, context),
});

type GroupType = "department" | "team";
type Group = SourceRecord<"groups"> & { remote_id: string };

export const department = { id: text, active: flag, name: text, parent_id: id };
export const tag = { id: text, name: text };
const groupSource = defineSource({ ...department, type: given<GroupType>() });
const groupFields = defineFields("groups", groupSource, {
  remote_id: groupSource.from(["type", "id"], toGroupId),
  name: "name",
  type: "type",
}).says({
  remote_id: "department- or category-, and the number",
});

/** Departments, and employee tags as teams. */
export const groups = defineReader<"groups", object>({
  async *fetch(context, session) {
    const { reader } = await openResource(context, session, "groups");
    for await (const page of reader.readPages("hr.department", department))
      yield page.map((record) => ({ ...record, type: "department" }));
    const tags = (await reader.readAllIfAllowed("hr.employee.category", tag)) ?? [];
    yield tags.map((record) => ({ ...record, type: "team" }));
  },
  table: groupFields,
  map: toGroup,
});

/** Null for a department that is archived. */
export function toGroup(raw: object, mapping: Mapping): Group | null {
  return groupSource.read(raw, "active") === false
    ? null
    : (groupFields.map(raw, mapping) as Group);
}

export function toGroupId(type: GroupType | null, of: string | null): string {
  return `${type === "team" ? "category" : "department"}-${of}`;
}
