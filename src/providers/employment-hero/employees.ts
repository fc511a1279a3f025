import { defineReader } from "../contract.ts";
import { pageOf } from "../kit/paging.ts";
import { readValue, text } from "../kit/readers.ts";
import { listOf, lookUp, openForEverybody, pick, type RegionName, type Wire } from "./client.ts";
import { accountNames, contactNames, employeeFields, namesOfPerson } from "./map-employee.ts";

const schedulesByName = lookUp("payschedule", ["name"]);
const locationsByName = lookUp("location", ["fullyQualifiedName", "name"]);
/** People of one that is not used any more go on naming it. */
const entitiesById = lookUp("employingentity", ["id"], { includeInactive: "true" });

export const employees = defineReader<"employees", object>({
  isPagedByOffset: true,
  async *fetch(context, session) {
    const { client, path, region: name } = await openForEverybody(context, session);
    const list = listOf(`${path}/employee/unstructured`);
    for await (const { items, next } of client.pages(list, context.cursor)) {
      const people = items as readonly Wire[];
      // After the people, so that a schedule with a new name is found by it.
      const schedules = await schedulesByName(context);
      const places = await locationsByName(context);
      const entities = people.some((one) => read(one, "employingEntityId") !== null)
        ? await entitiesById(context)
        : new Map<string, Wire>();
      const records = people.map((one) => {
        const id = read(one, "employingEntityId");
        return {
          ...toRecord(one, name),
          schedule: schedules.get(read(one, "paySchedule") ?? ""),
          place: places.get(read(one, "primaryLocation") ?? ""),
          entity: id === null ? null : (entities.get(id) ?? { id }),
        };
      });
      yield pageOf(records, next);
    }
  },
  table: employeeFields,
});

/** Of a record nothing but what the table names. */
function toRecord(one: Wire, name: RegionName) {
  return {
    ...pick(one, namesOfPerson),
    region: name,
    bank: toAccount(one),
    contact1: pickBehind(one, "emergencyContact1_", contactNames),
    contact2: pickBehind(one, "emergencyContact2_", contactNames),
  };
}

function read(one: Wire, name: string): string | null {
  const value = readValue(text, one[name]);
  return typeof value === "string" ? value : null;
}

/** The account that gets what is left of the pay, else the first. */
function toAccount(one: Wire): Wire {
  const prefixes = [1, 2, 3].map((number) => `bankAccount${number}_`);
  const isRest = (prefix: string): boolean =>
    one[`${prefix}AllocatedPercentage`] === 100 ||
    (read(one, `${prefix}AccountNumber`) !== null &&
      (one[`${prefix}FixedAmount`] ?? null) === null &&
      (one[`${prefix}AllocatedPercentage`] ?? null) === null);
  const prefix = prefixes.find(isRest) ?? "bankAccount1_";
  return pickBehind(one, prefix, accountNames);
}

/** What stands behind the beginning of these names. */
function pickBehind(one: Wire, prefix: string, names: readonly string[]): Wire {
  return Object.fromEntries(names.map((name) => [name, one[`${prefix}${name}`]]));
}
