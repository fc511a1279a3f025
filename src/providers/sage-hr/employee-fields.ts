import { defineFields, definePart, each } from "../kit/fields.ts";
import { country, day, flag, given, number, oneOf, records, text } from "../kit/readers.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import type { SourceEmployment } from "../source-records.ts";
import { employmentType, joinHistories, type Histories } from "./jobs.ts";

/** A person of the list of employees or of the leavers, with what the read has put in. */
export const person = defineSource({
  id: text,
  employee_number: text,
  first_name: text,
  last_name: text,
  email: text,
  mobile_phone: text,
  date_of_birth: day,
  employment_start_date: day,
  termination_date: day,
  tax_number: text,
  personal_identification_number: text,
  gender: oneOf({ male: "male", female: "female" }, { otherwise: "not_specified" }),
  employment_status: employmentType,
  irregular_contract_worker: flag,
  position: text,
  team: text,
  team_id: text,
  street_first: text,
  street_second: text,
  city: text,
  post_code: text,
  country,
  reports_to_employee_id: text,
  position_history: records,
  team_history: records,
  employment_status_history: records,
  // What the read has put in.
  /** Whether the list of employees has the person. */
  isListed: flag,
  /** Whether the person is away for the whole of today. */
  isAway: flag,
  manager: { first_name: text, last_name: text, email: text },
  compensations: records,
  jobs: given<readonly object[]>(),
});

const job = defineSource({
  start_date: day,
  position: text,
  type: given<SourceEmployment["employment_type"] & string>(),
  team: { team_id: text, team_name: text },
  pay: { amount: number, currency: text, period: given<SourceEmployment["pay_period"] & string>() },
});

const jobFields = definePart<SourceEmployment>()(job, {
  effective_date: "start_date",
  job_title: "position",
  employment_type: "type",
  pay_rate: "pay.amount",
  pay_period: "pay.period",
  currency: job.from(["pay.currency"], (code) => code?.toLowerCase() ?? null),
  group_remote_id: "team.team_id",
  group_name: "team.team_name",
}).says({ currency: "in lower case" });

/** Of the customer's words and Sage HR's own mark, the mark counts. */
const typeOfPerson = person.from(
  ["employment_status", "irregular_contract_worker"],
  (word, isIrregular) => (isIrregular ? "other" : word),
);

export const employeeFields = defineFields("employees", person, {
  remote_id: "id",
  employee_number: "employee_number",
  first_name: "first_name",
  last_name: person.or("last_name", ""),
  work_email: "email",
  mobile_phone_number: "mobile_phone",
  date_of_birth: "date_of_birth",
  tax_id: person.first("tax_number", "personal_identification_number"),
  gender: "gender",
  job_title: "position",
  start_date: "employment_start_date",
  termination_date: "termination_date",
  employment_status: person.from(
    ["isListed", "isAway", "employment_start_date", "termination_date"],
    toStatus,
  ),
  employment_type: typeOfPerson,
  home_location: {
    street_address: person.joined(["street_first", "street_second"]),
    locality: "city",
    post_code: "post_code",
    country: "country",
  },
  manager: {
    remote_id: "reports_to_employee_id",
    first_name: "manager.first_name",
    last_name: "manager.last_name",
    work_email: "manager.email",
  },
  groups: person.from(["team_id", "team"], (id, name) =>
    id === null ? [] : [{ remote_id: id, name, type: "team" }],
  ),
  employments: each(person, "jobs", jobFields),
}).says({
  employment_status:
    "inactive for a leaver whose day has passed, pending before the first day, leave for who is away today",
  employment_type: "other for an irregular contract, else by the customer's word",
  groups: "the team",
  employments:
    "from each day on which the position, the team, the word or the salary is another one; of one without a history the present from the present job on",
});

function toStatus(
  isListed: boolean | null,
  isAway: boolean | null,
  start: string | null,
  end: string | null,
  { today }: { today: string },
) {
  if (end === null ? !isListed : end < today) return "inactive";
  if (start !== null && start > today) return "pending";
  return isAway ? "leave" : "active";
}

/** The person with the jobs that the histories tell; one that has none has the present job. */
export function toPerson(record: object, today: string): object {
  const told = (path: HistoryPath): readonly object[] => person.read(record, path) ?? [];
  const histories = {
    positions: told("position_history"),
    teams: told("team_history"),
    statuses: told("employment_status_history"),
    compensations: told("compensations"),
  };
  const own = person.parts(record);
  const jobs = joinHistories(histories);
  const [first] = jobs;
  if (!first) return { ...record, jobs: presentJob(own) };
  const begun = jobs.findLast(({ start_date: start }) => start <= today);
  const hired = own.employment_start_date ?? first.start_date;
  const start = begun?.start_date ?? (hired < first.start_date ? hired : first.start_date);
  return { ...record, jobs: joinHistories(withPresent(histories, own, start)) };
}

const begins = defineSource({ start_date: day });
type HistoryPath =
  "position_history" | "team_history" | "employment_status_history" | "compensations";
type Person = Parts<(typeof person)["shape"]>;

/** Of a history without rows up to the present job, what the record says holds from that on. */
function withPresent(histories: Histories, own: Person, start_date: string): Histories {
  const orPresent = (rows: readonly object[], value: string | null, row: object) =>
    value === null || rows.some((one) => (begins.read(one, "start_date") ?? "") <= start_date)
      ? rows
      : [{ ...row, start_date }, ...rows];
  const { position, team, team_id, employment_status: status } = own;
  return {
    ...histories,
    positions: orPresent(histories.positions, position, { position_name: position }),
    teams: orPresent(histories.teams, team_id, { team_id, team_name: team }),
    statuses: orPresent(histories.statuses, status, { employment_statu_name: status }),
  };
}

function presentJob({
  employment_start_date: start,
  employment_status: type,
  position,
  team,
  team_id,
}: Person): object[] {
  const isKnown = [position, type, team_id].some((value) => value !== null);
  const withTeam = team_id === null ? null : { team_id, team_name: team };
  return isKnown ? [{ start_date: start, position, type, team: withTeam, pay: null }] : [];
}
