import { validOn } from "../kit/periods.ts";
import { day, number, oneOf, strict, text } from "../kit/readers.ts";
import { defineSource, type Parts } from "../kit/source.ts";

/** A word of the customer's. */
export const employmentType = oneOf(
  {
    "full-time": "full_time",
    "part-time": "part_time",
    contractor: "contractor",
    freelance: "contractor",
    freelancer: "contractor",
  },
  { otherwise: "other" },
);

const dated = { start_date: day, end_date: day };
const position = defineSource({ ...dated, position_name: text });
const team = defineSource({ ...dated, team_id: text, team_name: text });
/** Sage HR spells it so. */
const status = defineSource({ ...dated, employment_statu_name: employmentType });
const salary = defineSource({
  ...dated,
  category: text,
  amount: strict(number),
  currency: text,
  period: oneOf(
    {
      hourly: "HOUR",
      daily: "DAY",
      weekly: "WEEK",
      monthly: "MONTH",
      yearly: "YEAR",
      annually: "YEAR",
    },
    { otherwise: null },
  ),
});

/** The histories of one person, and what pays for the job. Bonuses and allowances are not its rate. */
export interface Histories {
  positions: readonly object[];
  teams: readonly object[];
  statuses: readonly object[];
  compensations: readonly object[];
}

export type Job = ReturnType<typeof jobOn>;

/** One job from each day on which one of the histories has something new. Empty when none has. */
export function joinHistories(histories: Histories): Job[] {
  const rows = {
    positions: histories.positions.map((row) => position.parts(row)),
    teams: histories.teams.map((row) => team.parts(row)),
    statuses: histories.statuses.map((row) => status.parts(row)),
    salaries: histories.compensations
      .map((row) => salary.parts(row))
      .filter(({ category }) => category?.toLowerCase() === "salary"),
  };
  const starts = Object.values(rows)
    .flat()
    .flatMap(({ start_date: start }) => (start === null ? [] : [start]));
  return [...new Set(starts)].toSorted().map((start) => jobOn(start, rows));
}

interface Rows {
  positions: readonly Parts<(typeof position)["shape"]>[];
  teams: readonly Parts<(typeof team)["shape"]>[];
  statuses: readonly Parts<(typeof status)["shape"]>[];
  salaries: readonly Parts<(typeof salary)["shape"]>[];
}

function jobOn(start: string, { positions, teams, statuses, salaries }: Rows) {
  const paid = validOn(salaries, start);
  return {
    start_date: start,
    position: validOn(positions, start)?.position_name ?? null,
    team: validOn(teams, start),
    type: validOn(statuses, start)?.employment_statu_name ?? null,
    // A rate without its period says nothing.
    pay: paid?.period ? paid : null,
  };
}
