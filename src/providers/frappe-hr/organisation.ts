import { defineReader } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { lookup } from "../kit/lookup.ts";
import { country, text } from "../kit/readers.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { regionNote, toRegion } from "../kit/to-region.ts";
import { api, allOf, openUncut, wholeList } from "./client.ts";

const firm = {
  name: text,
  company_name: text,
  tax_id: text,
  country,
};
const address = {
  name: text,
  address_line1: text,
  address_line2: text,
  city: text,
  state: text,
  country,
  pincode: text,
};
const companySource = defineSource({ ...firm, seat: address });
const companyNames = defineSource(firm).names;
const addressNames = defineSource(address).names;
const link = defineSource({ parent: text, link_name: text });

const companyFields = defineFields("company", companySource, {
  remote_id: "name",
  legal_name: "company_name",
  display_name: "company_name",
  tax_id: "tax_id",
  address: {
    street_address: companySource.joined(["seat.address_line1", "seat.address_line2"]),
    locality: "seat.city",
    administrative_area: companySource.from(
      ["seat.country", "country", "seat.state"],
      (ofSeat, own, state) => toRegion(ofSeat ?? own, state),
    ),
    post_code: "seat.pincode",
    country: companySource.first("seat.country", "country"),
  },
}).says({
  "address.street_address": "of the first address that is linked to the company",
  "address.administrative_area": regionNote,
});

/** All companies of the site. */
export const company = defineReader<"company", object>({
  async *fetch(context) {
    const client = await openUncut(context, "company");
    const found = await wholeList(client, "Company", { fields: companyNames });
    const seats = await whereReadable(async () => {
      const filters = [["link_doctype", "=", "Company"]] as const;
      const asked = { fields: ["name", ...link.names], filters, parent: "Address" };
      const links = await wholeList(client, "Dynamic Link", asked);
      const values = links.flatMap((one) => link.read(one, "parent") ?? []);
      const found = await allOf(client, "Address", "name", { fields: addressNames, values });
      const byName = new Map(found.map((one) => [String(one["name"]), one]));
      return new Map(
        links
          .toReversed()
          .map((one) => [link.read(one, "link_name"), byName.get(link.read(one, "parent") ?? "")]),
      );
    });
    if (!seats) context.limited(companyFields.limitedBy(["seat"]));
    yield found.map((one) => ({
      ...one,
      seat: seats?.get(companySource.read(one, "name")),
    }));
  },
  table: companyFields,
});

const department = defineSource({ name: text, department_name: text });
const departments = ["Department", { fields: department.names }] as const;

/** The names of departments, whose ids end with the company. */
export const departmentNames = lookup(async (context) => {
  const found = await wholeList(api.inRead(context), ...departments);
  return found.flatMap((one) => {
    const { name, department_name: title } = department.parts(one);
    return name === null || title === null ? [] : [[name, title] as const];
  });
});

export const groups = defineReader<"groups", object>({
  async *fetch(context) {
    yield await wholeList(await openUncut(context, "groups"), ...departments);
  },
  table: defineFields("groups", department, {
    remote_id: "name",
    name: "department_name",
    type: always("department"),
  }),
});

const branch = defineSource({ name: text, branch: text });

/** A place has a name alone. */
export const workLocations = defineReader<"work-locations", object>({
  async *fetch(context) {
    const client = await openUncut(context, "work-locations");
    yield await wholeList(client, "Branch", { fields: branch.names });
  },
  table: defineFields("work-locations", branch, { remote_id: "name", name: "branch" }),
});
