import { utcDay } from "../../platform/clock.ts";
import { defineReader } from "../contract.ts";
import { day, recordsOf, text } from "../kit/readers.ts";
import { eachAtOnce } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource, fieldOf } from "../kit/source.ts";
import { listOf, openCompany, type Company } from "./gusto-client.ts";
import { contractor, contractorFields, employeeFields, person } from "./map-employee.ts";

type Row = Readonly<Record<string, unknown>>;

const payScope = "compensations:read";
const peopleOnPage = 500;
const requestsAtOnce = 4;
/** New people come last, so that none moves to a page that was read. */
const sort_by = "created_at:asc";

/**
 * Everybody at once, because the lists as a whole tell who somebody reports to and where they work. Only of those who
 * have left before each is asked for alone.
 */
export const employees = defineReader<"employees", object>({
  async *fetch(context, session) {
    const company = openCompany(context, session);
    const { client, path } = company;
    const today = utcDay(context.clock.now());
    const mayReadPay = company.mayRead(payScope);
    const staff = await readStaff(company, mayReadPay);
    yield (await client.all(listOf(`${path}/contractors`, { query: { sort_by } }))) as Row[];
    const places = await readPlaces(company, staff);
    const frequencyOf = await whereReadable(() => readFrequencies(company));
    const histories = await readHistories(company, staff, today);
    const hidden = {
      place: places,
      frequency: frequencyOf,
      history: histories,
      // The earlier times of who came back are periods, too.
      periods: histories,
      ...(!mayReadPay && { rate: undefined, payment_unit: undefined, effective_date: undefined }),
    };
    const unread = Object.entries(hidden).flatMap(([name, one]) => (one === undefined ? name : []));
    const isTitleHidden = !mayReadPay && staff.some(isUntitled);
    context.limited([
      ...employeeFields.limitedBy(unread),
      ...(isTitleHidden ? ["job_title" as const] : []),
    ]);
    const managers = new Map(staff.map((one) => [idOf(one), one]));
    const complete = (one: Row): Row => {
      const history = histories?.get(idOf(one));
      const primary = jobsOf(one)[0];
      const known = {
        primary,
        pay: primary && findPresentPay(primary, today),
        manager: managers.get(String(one["manager_uuid"])),
        place: places?.get(idOf(one)),
        history,
        frequency: frequencyOf?.(one, primary),
      };
      return { ...one, ...known, periods: toPeriods({ ...one, ...known }, today) };
    };
    for (let start = 0; start < staff.length; start += peopleOnPage)
      yield staff.slice(start, start + peopleOnPage).map(complete);
  },
  isPagedByOffset: true,
  table: [employeeFields, contractorFields],
  // A contractor is an individual or a business; an employee has no type.
  map: (raw, context) =>
    contractor.read(raw, "type") === null
      ? employeeFields.map(raw, context)
      : contractorFields.map(raw, context),
});

/** What is read of them, and no more: all are in memory at once. */
async function readStaff({ client, path }: Company, mayReadPay: boolean): Promise<Row[]> {
  const include = ["current_home_address", "custom_fields"];
  if (mayReadPay) include.push("all_compensations");
  const query = { include: include.join(), sort_by };
  const staff = await client.all(listOf(`${path}/employees`, { query }));
  return staff.map((one) =>
    Object.fromEntries(person.names.map((name) => [name, fieldOf(one, name)])),
  );
}

/** Where everybody works. Where no job says it, Gusto has a list of people for each location. */
async function readPlaces(
  { client, path }: Company,
  staff: readonly Row[],
): Promise<ReadonlyMap<string, Row> | undefined> {
  const found = await whereReadable(() => client.all(listOf(`${path}/locations`)));
  if (!found) return undefined;
  const places = new Map((found as Row[]).map((one) => [idOf(one), { ...one, address: one }]));
  const idsOfPlaces = new Map(
    staff.flatMap((one) => {
      const id = fieldOf(jobsOf(one)[0], "location_uuid");
      return typeof id === "string" ? [[idOf(one), id]] : [];
    }),
  );
  if (idsOfPlaces.size === 0)
    for (const id of staff.length > 0 ? places.keys() : []) {
      const query = { location_uuid: id, sort_by };
      for (const one of await client.all(listOf(`${path}/employees`, { query })))
        idsOfPlaces.set(idOf(one), id);
    }
  return new Map(
    [...idsOfPlaces].flatMap(([one, id]) => {
      const place = places.get(id);
      return place ? [[one, place]] : [];
    }),
  );
}

const assignment = defineSource({
  type: text,
  default_pay_schedule_uuid: text,
  hourly_pay_schedule_uuid: text,
  salaried_pay_schedule_uuid: text,
});

/** How often somebody is paid, by the schedule that Gusto names for all, for some, or for each. */
async function readFrequencies({ client, path }: Company) {
  const schedules = (await client.all(listOf(`${path}/pay_schedules`))) as Row[];
  const frequencies = new Map(schedules.map((one) => [one["uuid"], one["frequency"]]));
  const assigned = await client.get(`${path}/pay_schedules/assignments`, {
    errors: { 404: "absent" },
  });
  const listed = (name: string, key: string): ReadonlyMap<unknown, unknown> =>
    new Map(
      recordsOf(fieldOf(assigned, name)).map((one) => [
        fieldOf(one, key),
        fieldOf(one, "pay_schedule_uuid"),
      ]),
    );
  const ofPeople = listed("employees", "employee_uuid");
  const ofDepartments = listed("departments", "department_uuid");
  const byPay: Readonly<Record<string, string | null>> = {
    Nonexempt: assignment.read(assigned, "hourly_pay_schedule_uuid"),
    Exempt: assignment.read(assigned, "salaried_pay_schedule_uuid"),
  };
  return (one: Row, primary: object | undefined): unknown => {
    switch (assignment.read(assigned, "type")) {
      case "single":
        return frequencies.get(assignment.read(assigned, "default_pay_schedule_uuid"));
      case "hourly_salaried":
        return frequencies.get(byPay[String(fieldOf(paysOf(primary)[0], "flsa_status"))]);
      case "by_department":
        return frequencies.get(ofDepartments.get(one["department_uuid"]));
      default:
        return frequencies.get(ofPeople.get(one["uuid"]));
    }
  };
}

/** The times of those who have left before. Undefined without the right to them. */
async function readHistories({ client }: Company, staff: readonly Row[], today: string) {
  const ids = staff.filter((one) => hasLeftBefore(one, today)).map(idOf);
  return await whereReadable(
    async () =>
      new Map(
        await eachAtOnce(ids, requestsAtOnce, async (id) => {
          const path = `/v1/employees/${encodeURIComponent(id)}/employment_history`;
          const found = await client.get(path, { errors: { 404: "absent" } });
          return [id, recordsOf(found)] as const;
        }),
      ),
  );
}

/** Somebody who is here or has left again, and had left once. */
function hasLeftBefore(one: Row, today: string): boolean {
  const days = (person.read(one, "terminations") ?? []).map(
    ({ effective_date: last }) => last ?? "",
  );
  const hire = pay.read(jobsOf(one)[0], "hire_date") ?? "";
  const isHere = person.read(one, "terminated") !== true;
  return days.length > 1 || days.some((last) => last < hire || (isHere && last < today));
}

const pay = defineSource({ hire_date: day, effective_date: day });

/** Each pay of each job, and the earlier times of which there is none. What is so today stands at the present pay. */
function toPeriods(one: Row, today: string): Row[] {
  const { department_uuid, department, manager_uuid, frequency } = one;
  const employment_status = one["current_employment_status"];
  const present = { department_uuid, department, manager_uuid, frequency, employment_status };
  const paid = jobsOf(one).flatMap((job) => {
    const pays = paysOf(job);
    const now = findPresentPay(job, today, pays);
    return pays.map((one) => ({ ...one, job, ...(one === now && present) }));
  });
  const told = new Set(paid.map((one) => fieldOf(one, "effective_date")));
  const earlier = recordsOf(one["history"])
    .map((time) => ({ ...time, effective_date: fieldOf(time, "hire_date") }))
    .filter((time) => !told.has(time.effective_date));
  return [...paid, ...earlier];
}

function findPresentPay(job: Row, today: string, pays = paysOf(job)): Row | undefined {
  return (
    pays.find((one) => one["uuid"] === job["current_compensation_uuid"]) ??
    pays.find((one) => String(one["effective_date"]) <= today)
  );
}

/** Whose job has no title of its own: that of their pay is theirs. */
function isUntitled(one: Row): boolean {
  const [primary] = jobsOf(one);
  return primary !== undefined && person.read({ primary }, "primary.title") === null;
}

/** The primary one first. */
function jobsOf(one: Row): Row[] {
  const jobs = recordsOf(one["jobs"]) as Row[];
  return jobs.toSorted((a, b) => Number(b["primary"] === true) - Number(a["primary"] === true));
}

/** The newest first. Who may not read pay sees no list of it, and the first day all the same. */
function paysOf(job: object | undefined): Row[] {
  const pays = recordsOf(fieldOf(job, "compensations")) as Row[];
  const dayOf = (one: Row): string => pay.read(one, "effective_date") ?? "";
  if (pays.length === 0) return job ? [{ effective_date: fieldOf(job, "hire_date") }] : [];
  return pays.toSorted((a, b) => (dayOf(a) > dayOf(b) ? -1 : 1));
}

function idOf(one: unknown): string {
  return String(fieldOf(one, "uuid"));
}
