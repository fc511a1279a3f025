import { defineReader } from "../contract.ts";
import { AuthError } from "../errors.ts";
import { always, defineFields } from "../kit/fields.ts";
import { given, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import { people, readLimitedFields } from "./employees.ts";
import { person, toGroupId, type GroupType } from "./map-employee.ts";
import { api, listOfSecond, type JsonObject } from "./personio-client.ts";

const unit = defineSource({ id: text, name: text });

export const legalEntities = listOfSecond("/v2/legal-entities");

export const companyFields = defineFields("company", unit, {
  remote_id: "id",
  legal_name: "name",
  display_name: "name",
});

/** The legal entities of the account. */
export const company = defineReader<"company", unknown>({
  async *fetch(context) {
    yield await api.inRead(context).all(legalEntities);
  },
  table: companyFields,
});

const unitsOf = (type: "department" | "team") =>
  listOfSecond("/v2/org-units", { query: { type }, isBeta: true });
export const departments = unitsOf("department");
const teams = unitsOf("team");
const costCentres = listOfSecond("/v2/cost-centers", { isBeta: true });

const typedUnit = defineSource({ ...unit.shape, type: given<GroupType>() });

const groupFields = defineFields("groups", typedUnit, {
  remote_id: typedUnit.from(["type", "id"], toGroupId),
  name: "name",
  type: "type",
}).says({
  remote_id: "the kind and the number: each kind is numbered by itself",
});

/** Departments, teams and cost centres. */
export const groups = defineReader<"groups", object>({
  async *fetch(context) {
    const client = api.inRead(context);
    yield toUnits("department", await client.all(departments));
    yield toUnits("team", await client.all(teams));
    const listed = await whereReadable(() => client.all(costCentres));
    yield toUnits("cost_centre", listed ?? (await readNamed(client, costCentresOf)));
  },
  table: groupFields,
});

function costCentresOf(employee: unknown) {
  return person.read(employee, "cost_centers") ?? [];
}

function toUnits(type: GroupType, units: readonly unknown[]): object[] {
  return units.map((one) => ({ ...(one as JsonObject), type }));
}

export const workplaces = listOfSecond("/v2/workplaces", { isBeta: true });

const workplaceFields = defineFields("work-locations", unit, {
  remote_id: "id",
  name: "name",
  type: always("office"),
});

/** Many accounts have no list of workplaces: then the offices of the employees. */
export const workLocations = defineReader<"work-locations", unknown>({
  async *fetch(context) {
    const client = api.inRead(context);
    yield (await whereReadable(() => client.all(workplaces))) ?? (await readOffices(client));
  },
  table: workplaceFields,
});

/** Without the attribute there would be no offices. */
async function readOffices(client: RestClient): Promise<object[]> {
  const limited = await readLimitedFields(client);
  if (limited.includes("work_location")) throw new AuthError("insufficient_permission");
  return await readNamed(client, (employee) => [person.read(employee, "office")]);
}

/** The things that employees name, such as their offices, each once. */
async function readNamed(
  client: RestClient,
  listOf: (employee: unknown) => readonly (Parts<typeof unit.shape> | null)[],
): Promise<object[]> {
  const things = (await client.all(people)).flatMap(listOf).filter((thing) => thing !== null);
  return [...new Map(things.map((thing) => [thing.id, thing])).values()];
}
