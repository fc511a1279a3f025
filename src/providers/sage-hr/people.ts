import { utcDay } from "../../platform/clock.ts";
import { defineReader, type ReadContext } from "../contract.ts";
import {
  listChanges,
  readByList,
  readList,
  type Listed,
  type ReadList,
} from "../kit/list-changes.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { recordsAt } from "../kit/paging.ts";
import { flag, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { api, listOf, requestsAtOnce } from "./client.ts";
import { employeeFields, person, toPerson } from "./employee-fields.ts";

const histories = {
  team_history: "true",
  employment_status_history: "true",
  position_history: "true",
};
const present = listOf("/employees", histories);

const changes = listChanges({
  requestsOfEach: 1,
  // A tenth of a request a second.
  leastDayRequests: 8_640,
  ofDay: (record, today) => [employeeFields.map(record, { today }).employment_status],
});

/** One request for the pay of each person who works there: a thousand take a quarter of an hour. */
export const employees = defineReader<"employees", object>({
  ...readByList({ changesOf: () => changes, readList: readEverybody, readDetails: readPay }),
  isPagedByOffset: true,
  table: employeeFields,
  map: (raw, context) => employeeFields.map(toPerson(raw, context.today), context),
});

/** The ids of those who work there, for what takes a request for each of them. */
export async function readPresentIds(context: ReadContext): Promise<string[]> {
  return (await api.inRead(context).all(present)).flatMap((one) => person.read(one, "id") ?? []);
}

/** Both lists as one. Who is on both has not left yet, and has the last day of the list of leavers. */
async function readEverybody(context: ReadContext): Promise<ReadList> {
  const client = api.inRead(context);
  const working = await readList(client, present);
  const left = await readList(client, listOf("/terminated-employees"));
  const away = await whereReadable(() => readAway(client, utcDay(context.clock.now())));
  if (!away) context.limited(employeeFields.limitedBy(["isAway"]));
  const byId = new Map(left.listed.map(({ id, record }) => [id, { ...record, isListed: false }]));
  for (const { id, record } of working.listed) {
    const termination = person.read(byId.get(id), "termination_date");
    const isAway = away?.has(id) ?? false;
    // Who begins after that day has come back, and it was the last one of an earlier time.
    const start = person.read(record, "employment_start_date") ?? "";
    const isLeaving = termination !== null &&
      start <= termination && { termination_date: termination };
    byId.set(id, { ...record, ...isLeaving, isListed: true, isAway } as never);
  }
  return {
    listed: [...byId].map(([id, record]) => ({ id, record: withManager(record, byId) })),
    isWhole: working.isWhole && left.isWhole,
    dayRequestsLeft: undefined,
  };
}

const absence = defineSource({ employee_id: text, is_part_of_day: flag });

/** The ids of those who are away for the whole of a day, from one request for everybody. */
async function readAway(client: RestClient, date: string): Promise<ReadonlySet<string>> {
  const path = "/leave-management/out-of-office-today";
  const found = recordsAt("data")(await client.get(path, { query: { date } }));
  const whole = found.filter((one) => !absence.read(one, "is_part_of_day"));
  return new Set(whole.flatMap((one) => absence.read(one, "employee_id") ?? []));
}

/** Sage HR names a manager by the id alone. */
function withManager(record: object, byId: ReadonlyMap<string, object>): object {
  const id = person.read(record, "reports_to_employee_id");
  const manager = id === null ? undefined : byId.get(id);
  if (!manager) return record;
  const { first_name, last_name, email } = person.parts(manager);
  return { ...record, manager: { first_name, last_name, email } };
}

/** Of leavers Sage HR tells no pay. */
async function* readPay(
  context: ReadContext,
  people: readonly Listed[],
  cursor: ReadContext["cursor"],
) {
  const client = api.inRead(context);
  const recordOf = new Map(people.map(({ id, record }) => [id, record]));
  yield* oneByOne([...recordOf.keys()], { atOnce: requestsAtOnce, cursor }, async (id) => {
    const record = recordOf.get(id) ?? {};
    if (!person.read(record, "isListed")) return [record];
    const path = `/employees/${encodeURIComponent(id)}/compensations`;
    // Who was deleted since the list was read is missing from the next one.
    const gone = {
      errors: { 404: "absent" },
      whenAbsent: { data: [], meta: { current_page: 1 } },
    } as const;
    const list = listOf(path);
    const compensations = await client.all({ ...list, ...gone, idOf: () => undefined });
    return [{ ...record, compensations }];
  });
}
