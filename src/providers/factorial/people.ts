import { utcDay } from "../../platform/clock.ts";
import { defineReader, type Cursor, type ReadContext } from "../contract.ts";
import { byLabels } from "../kit/custom-fields.ts";
import { addDays } from "../kit/days.ts";
import { digest } from "../kit/list-changes.ts";
import type { RestList } from "../kit/rest.ts";
import { day, number, oneOf, text } from "../kit/readers.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { api, id, idOf, listOf, readAll, type Wire } from "./client.ts";
import { employeeFields, person, toPerson } from "./employee-fields.ts";
import { entities, places, site, team, teams } from "./organisation.ts";
import { findAway, leavesOf } from "./time-off.ts";

const peopleOnPage = 50;
const hundredths = 100;
const ourNames = new Set(["company", "nationality", "original_start_date"]);

function withQuery(list: RestList, query: RestList["query"]): RestList {
  return { ...list, query: { ...list.query, ...query } };
}

export const people = (more: RestList["query"] = {}) =>
  listOf("employees/employees", { only_active: "false", only_managers: "false", ...more });

/** What people are made of, with the fields of ours that are lost without the right to it. */
const joined = {
  // A parameter that the description asks for would leave versions out. Where it is needed, jobs are not told.
  versions: {
    list: () => ({
      ...listOf("contracts/contract_versions"),
      errors: { 400: "unsupported", 422: "unsupported" } as const,
    }),
    makes: ["versions", "job", "starts"],
  },
  families: { list: () => listOf("payroll/family_situations"), makes: ["family"] },
  values: { list: () => listOf("custom_fields/values"), makes: ["custom"] },
  teams: { list: () => teams, makes: ["teams"] },
  places: { list: () => places, makes: ["place"] },
  entities: { list: () => entities, makes: ["entity", "currency"] },
  leaves: {
    list: (today: string) => leavesOf({ start: today, end: today }),
    makes: ["isAway"],
  },
} as const;
/** What may be read of them. */
type Joined = Partial<Record<keyof typeof joined, Wire[]>>;

/**
 * Factorial names those who changed since a day, and nobody who was deleted or whose contract is another one. So a poll
 * looks at the first page of each list, with its count, and at who changed: when one is another than before, everybody
 * is read. What shows in none of these is read on the next day, when all is another one.
 */
export const employees = defineReader<"employees", object>({
  async *fetch(context) {
    const { records, seen } = await readEverybody(context);
    context.continueFrom({ seen });
    for (let start = 0; start < records.length; start += peopleOnPage)
      yield records.slice(start, start + peopleOnPage);
  },
  async *changes(context, _session, since: Cursor) {
    const seen = await look(context);
    context.continueFrom({ seen });
    if (seen === since["seen"]) return yield { changed: [] };
    const { records } = await readEverybody(context);
    yield { changed: records, present: records.map(idOf) };
  },
  table: employeeFields,
  map: (raw, context) => employeeFields.map(toPerson(raw, context.today), context),
});

/** What a poll looks at, as one short text. */
async function look(context: ReadContext): Promise<string> {
  const client = api.inRead(context);
  const today = utcDay(context.clock.now());
  const firstOf = (list: RestList) => {
    const { path, query = {}, errors = {} } = list;
    return whereReadable(() => client.get(path, { query, errors }));
  };
  const pages = [await firstOf(people())];
  for (const { list } of Object.values(joined)) pages.push(await firstOf(list(today)));
  // Factorial's day may be another one than ours.
  const updated = await readSome(context, people({ updated_at_gteq: addDays(today, -2) }));
  return digest([today, pages, listUpdated(updated, today)]);
}

const dated = defineSource({ updated_at: day });

function listUpdated(records: readonly Wire[], today: string): string[] {
  const since = addDays(today, -1);
  const updated = records.filter((one) => (dated.read(one, "updated_at") ?? since) >= since);
  return updated.map((one) => `${idOf(one)} ${String(one["updated_at"])}`).toSorted();
}

function isWorking(one: Wire): boolean {
  return person.read(one, "active") ?? person.read(one, "terminated_on") === null;
}

/** Whether `only_active=false` asks for everybody or for leavers alone is not known. */
async function readSome(context: ReadContext, list: RestList): Promise<Wire[]> {
  const found = await readAll(context, list);
  if (found.some(isWorking)) return found;
  return [...found, ...(await readAll(context, withQuery(list, { only_active: "true" })))];
}

/** Whether `only_managers=false` hides managers is not known either: then one who is named is missing. */
export async function readPeople(context: ReadContext, list = people()): Promise<Wire[]> {
  const found = await readSome(context, list);
  const ids = new Set(found.map(idOf));
  const isAlone = (one: Wire): boolean => !ids.has(person.read(one, "manager_id") ?? idOf(one));
  if (found.some(isAlone))
    found.push(...(await readSome(context, withQuery(list, { only_managers: "true" }))));
  return [...new Map(found.map((one) => [idOf(one), one])).values()];
}

async function readEverybody(context: ReadContext): Promise<{ records: Wire[]; seen: string }> {
  const today = utcDay(context.clock.now());
  const pages: unknown[] = [];
  /** Of each list the first page is kept, as a poll looks at it. */
  const watched = (list: RestList): RestList => {
    const at = pages.push(undefined) - 1;
    return { ...list, onAnswer: ({ body }) => void (pages[at] ??= body) };
  };
  const everybody = await readPeople(context, watched(people()));
  const found: Joined = {};
  for (const name of Object.keys(joined) as (keyof Joined)[]) {
    const list = watched(joined[name].list(today));
    const read = await whereReadable(() => readAll(context, list));
    if (read) found[name] = read;
  }
  const away = found.leaves && (await whereReadable(() => findAway(context, found.leaves ?? [])));
  if (!away) delete found.leaves;
  const lost = Object.entries(joined).filter(([name]) => !(name in found));
  context.limited(employeeFields.limitedBy(lost.flatMap(([, { makes }]) => makes)));
  const complete = join(everybody, found);
  const records = everybody.map((one) => ({ ...complete(one), isAway: away?.has(idOf(one)) }));
  return { records, seen: digest([today, pages, listUpdated(everybody, today)]) };
}

function byId(records: readonly Wire[] = []): Map<unknown, Wire> {
  return new Map(records.map((one) => [one["id"], one]));
}

function byPerson<One extends Wire>(records: readonly One[] = [], name = "employee_id") {
  return Map.groupBy(records, (one) => one[name]);
}

/** What makes a person whole out of the lists, each of which is there only with the right to it. */
function join(everybody: readonly Wire[], found: Joined): (one: Wire) => Wire {
  const [managers, placeOf, entityOf] = [everybody, found.places, found.entities].map(byId);
  const [versions, families] = [byPerson(found.versions), byPerson(found.families)];
  const values = byPerson(found.values?.filter(isOfPerson), "valuable_id");
  const members = found.teams?.flatMap((one) =>
    (team.read(one, "employee_ids") ?? []).map((employee_id) => ({ one, employee_id })),
  );
  const teamsOf = byPerson(members);
  const [only] = found.entities?.length === 1 ? found.entities : [];
  return (one) => {
    const own = idOf(one);
    const entity = entityOf?.get(one["legal_entity_id"]) ?? only;
    const currency = site.read(entity, "currency")?.toLowerCase();
    return {
      ...one,
      manager: managers?.get(one["manager_id"]),
      place: placeOf?.get(one["location_id"]),
      family: families.get(own)?.[0],
      teams: teamsOf.get(own)?.map(({ one: of }) => of),
      versions: found.versions && (versions.get(own) ?? []).map((of) => ({ ...of, currency })),
      custom: byLabels((values.get(own) ?? []).map(toAdded), ourNames),
      entity: entity === only ? null : entity,
    };
  };
}

const added = defineSource({
  field_id: id,
  label: text,
  valuable_type: oneOf({ employee: true, employeesemployee: true }, { otherwise: false }),
  long_text_value: text,
  date_value: day,
  single_choice_value: text,
  cents_value: number,
});

function isOfPerson(value: Wire): boolean {
  return added.read(value, "valuable_type") ?? false;
}

/** A field of the company's own. Its value stands by its kind. */
function toAdded(one: Wire) {
  const { field_id, label, long_text_value, date_value, single_choice_value, cents_value } =
    added.parts(one);
  const ofKind = long_text_value ?? date_value ?? single_choice_value;
  const amount = cents_value === null ? null : cents_value / hundredths;
  return { key: field_id ?? idOf(one), label, value: one["value"] ?? ofKind ?? amount };
}
