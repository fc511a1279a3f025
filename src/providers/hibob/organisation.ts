import { defineReader } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { regionNote } from "../kit/to-region.ts";
import { api, fieldsPath, listsOf, openFields, search, type Item } from "./client.ts";
import { person, siteAddress } from "./employee-fields.ts";

const account = defineSource({ companyId: text });

/** Bob tells nothing of the company but its number. */
export const company = defineReader<"company", object>({
  async *fetch(context, session) {
    // A token that has ended shows here as everywhere else.
    await api.inRead(context).get(fieldsPath);
    yield [{ companyId: api.parse(session).companyId }];
  },
  table: defineFields("company", account, { remote_id: "companyId" }),
});

const item = defineSource({ id: text, name: text });

const listed = (items: readonly Item[] | undefined): Item[] =>
  (items ?? []).filter(({ isArchived }) => !isArchived);

export const groups = defineReader<"groups", object>({
  async *fetch(context) {
    yield listed((await listsOf(context)).get("department"));
  },
  table: defineFields("groups", item, {
    remote_id: "id",
    name: "name",
    type: always("department"),
  }),
});

const placeFields = defineFields("work-locations", person, {
  remote_id: "siteId",
  name: "site",
  address: siteAddress,
}).says({ "address.administrative_area": regionNote });
const placeIds = placeFields.origins
  .flatMap(({ paths }) => paths.map((path) => person.nameAt(path)))
  .filter((id) => id !== "work.site");

/** A place has its address from somebody who works there. */
export const workLocations = defineReader<"work-locations", object>({
  async *fetch(context) {
    const places = listed((await listsOf(context)).get("site"));
    const { fields, read } = await openFields(context);
    const found = await search(api.inRead(context), placeIds);
    const people = found.map((one) => read(one, placeIds));
    const hiddenOf = (some: typeof people): string[] =>
      placeIds.filter((id) => fields.has(id) && some.every((one) => one[id] === undefined));
    const bySite = Map.groupBy(people, (one) => person.read(one, "siteId"));
    context.limited(placeFields.limitedBy([people, ...bySite.values()].flatMap(hiddenOf)));
    // Rights go by person, too: who hides the address tells nothing of the place.
    const tellerOf = (id: string) => {
      const there = bySite.get(id) ?? [];
      return there.find((one) => hiddenOf([one]).length === 0) ?? there.at(-1);
    };
    yield places.map(({ id, name }) => ({
      ...tellerOf(id),
      "work.siteId": id,
      "work.site": name,
    }));
  },
  table: placeFields,
});
