import { joinRows } from "../kit/histories.ts";
import { day, number, oneOf, strict, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";

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

/** One job from each day on which one of the histories has something new. Empty when none has. */
export function joinHistories(histories: Histories) {
  const joined = joinRows({
    position: histories.positions.map((row) => position.parts(row)),
    team: histories.teams.map((row) => team.parts(row)),
    status: histories.statuses.map((row) => status.parts(row)),
    paid: histories.compensations
      .map((row) => salary.parts(row))
      .filter(({ category }) => category?.toLowerCase() === "salary"),
  });
  return joined.map(({ day: start, position: job, team: of, status: word, paid }) => ({
    start_date: start,
    position: job?.position_name ?? null,
    team: of,
    type: word?.employment_statu_name ?? null,
    // A rate without its period says nothing.
    pay: paid?.period ? paid : null,
  }));
}
