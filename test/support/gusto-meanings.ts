import type { Mode } from "../../src/model/index.ts";
import type { MeaningAnswers } from "../../src/providers/conformance.ts";
import { idOf, personId, policyId } from "./vendors/gusto-company.ts";

const inHours = "Gusto counts time off in hours.";

const common: MeaningAnswers = {
  overdrawn_leave: {
    record: { employee_remote_id: personId(5), policy_remote_id: policyId(1), balance: -8 },
    only: "without what was taken",
  },
  rehired: {
    record: {
      remote_id: personId(8),
      start_date: "2022-05-02",
      custom_fields: { original_start_date: "2015-01-05" },
    },
  },
  future_leaver: { record: { remote_id: personId(9), termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: personId(10), start_date: "2099-01-05" } },
  away_today: {
    notTold: "Gusto tells hours of time off, and not whether they are the whole day.",
  },
  lost_right: { record: { remote_id: personId(1) } },
  deleted: { record: { remote_id: personId(56) } },
  no_email: { record: { remote_id: personId(19) } },
  nationality: { notTold: "Gusto tells no nationality." },
  weekly_hours: { notTold: "Gusto tells kinds of full and part time, and no hours of a week." },
  legal_entities: { notTold: "A connection reads one company." },
  half_day: { notTold: inHours },
  leave_in_hours: { record: { remote_id: idOf(14, 2), amount: 20, unit: "hours" } },
  holiday_in_leave: { notTold: inHours },
  biweekly: {
    record: {
      remote_id: personId(13),
      employments: [{ pay_frequency: "biweekly", pay_rate: 52_013.5, pay_period: "YEAR" }],
    },
  },
  semimonthly: {
    record: {
      remote_id: personId(14),
      employments: [{ pay_frequency: "semimonthly", pay_rate: 52_014.5, pay_period: "YEAR" }],
    },
  },
  nothing_readable: { refusal: "primary administrator" },
};

export const meaningsOfGusto: Readonly<Record<Mode, MeaningAnswers>> = {
  official: common,
  xhr: { ...common, minor_units: { notTold: "Gusto pays in US dollars alone." } },
};
