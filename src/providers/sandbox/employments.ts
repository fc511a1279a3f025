import type { SourceEmployment } from "../source-records.ts";
import { earlierOf } from "./calendar.ts";
import { managerOf } from "./core-people.ts";
import { countries } from "./countries.ts";
import { drawBelow } from "./draw.ts";
import { departments, type DepartmentName } from "./organisation.ts";
import { remoteIdOf, terms, type Person } from "./person.ts";

/** One period of a person's job. */
export interface Job {
  startDate: string;
  title: string;
  department: DepartmentName;
  /** In minor units, per pay period. */
  rate: number;
  note: string;
}

/**
 * All jobs up to today, oldest first: the first job, then a raise on 1 April of every second or
 * third year.
 */
export function jobsOf(person: Person, today: string): [Job, ...Job[]] {
  const { earlier, title, department, startDate, number } = person;
  const hired: Job = {
    startDate,
    title: earlier?.title ?? title,
    department: earlier?.department ?? department,
    rate: firstRateOf(person),
    note: "Hired",
  };
  const jobs: [Job, ...Job[]] = [hired];
  const end = earlierOf(today, person.endDate ?? today);
  const yearsBetween = 2 + drawBelow(2, "years between raises", number);
  let rate = hired.rate;
  for (
    let year = Number(startDate.slice(0, 4)) + yearsBetween;
    `${year}-04-01` <= end;
    year += yearsBetween
  ) {
    rate = Math.round((rate * 104) / 100);
    const isPromotion = jobs.length === 1 && earlier !== null;
    jobs.push({
      startDate: `${year}-04-01`,
      title,
      department,
      rate,
      note: isPromotion ? "Promotion" : "Annual review",
    });
  }
  const current = jobs.at(-1) as Job;
  current.title = titleOf(person, current.title);
  return jobs;
}

export function listEmployments(person: Person, jobs: readonly Job[]): SourceEmployment[] {
  const { type, period, frequency } = terms[person.terms];
  return jobs.map(({ startDate, title, department, rate, note }): SourceEmployment => {
    const manager = managerOf(person, department);
    return {
      job_title: title,
      effective_date: startDate,
      employment_type: type,
      pay_rate: rate / 100,
      pay_period: period,
      pay_frequency: frequency,
      currency: countries[person.home].currency,
      group_remote_id: departments[department].remoteId,
      group_name: departments[department].name,
      manager_remote_id: manager && remoteIdOf(manager),
      notes: note,
    };
  });
}

function firstRateOf({ terms: name, home, number }: Person): number {
  const { rate } = terms[name];
  const percent = 100 + drawBelow(21, "rate", number);
  return Math.round((rate * percent * countries[home].payScale) / 100);
}

/** Each change of title gives the next grade. After the third grade comes the first. */
function titleOf({ changes }: Person, title: string): string {
  return title + (["", " II", " III"][changes.title % 3] as string);
}
