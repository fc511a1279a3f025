import { modes, type Mode } from "../../model/index.ts";
import type { Conformance, FakeSystem, MeaningAnswers, Scenario } from "../conformance.ts";

const users: Partial<Record<Scenario, string>> = {
  "wrong-password": "user_bad_password",
  "second-factor": "user_mfa",
  "wrong-second-factor": "user_mfa",
  "dead-session": "user_expired",
  "missing-rights": "user_no_permission",
  "rate-limited-seconds": "user_limited",
  "server-error": "user_down",
  nulls: "user_sparse",
};

/** Who is away, and who comes and goes, is another one each day. */
const now = new Date("2026-03-18T12:00:00Z");

const wholeDays = "Its absences are whole days, without public holidays in them.";
const common: MeaningAnswers = {
  overdrawn_leave: { notTold: "Nobody of the invented company takes more than was granted." },
  rehired: { notTold: "Nobody of the invented company has come back." },
  future_leaver: { record: { remote_id: "emp_5024", termination_date: "2026-03-31" } },
  future_starter: { record: { remote_id: "emp_5026", start_date: "2026-04-01" } },
  away_today: { record: { remote_id: "emp_1017" } },
  lost_right: { record: { remote_id: "emp_1017" } },
  deleted: { notTold: "People go with its simulated hours, which no check lets pass." },
  no_email: { notTold: "Everybody of the invented company has an address." },
  nationality: { record: { remote_id: "emp_1017", nationality: "GH" } },
  weekly_hours: { notTold: "The invented company keeps no hours of a week." },
  legal_entities: { notTold: "The invented company is one." },
  half_day: { notTold: wholeDays },
  leave_in_hours: { record: { remote_id: "leave_1029_2026-03", amount: 8, unit: "hours" } },
  holiday_in_leave: { notTold: wholeDays },
  biweekly: {
    record: {
      remote_id: "emp_1007",
      employments: [
        { effective_date: "2021-03-01", pay_frequency: "biweekly", pay_rate: 530.4 },
        { effective_date: "2024-04-01", pay_frequency: "biweekly", pay_rate: 551.62 },
      ],
    },
  },
  semimonthly: {
    record: {
      remote_id: "emp_1010",
      employments: [
        { effective_date: "2022-10-01", pay_frequency: "semimonthly", pay_rate: 2_204 },
        { effective_date: "2025-04-01", pay_frequency: "semimonthly", pay_rate: 2_292.16 },
      ],
    },
  },
  nothing_readable: { notTold: "A right that is missing shows with the first read alone." },
};
const meanings: Readonly<Record<Mode, MeaningAnswers>> = {
  official: common,
  xhr: {
    ...common,
    minor_units: { notTold: "The invented company pays in currencies of two decimals." },
  },
};

/** Its user names play the scenarios. There is no server. */
export const sandboxConformances: readonly Conformance[] = modes.map((mode) => ({
  provider: "sandbox",
  mode,
  start: async (scenario) => startSandbox(scenario, mode),
  meanings: meanings[mode],
  leavesOut: {
    "rate-limited-date": "the sandbox answers no HTTP; it asks to wait in seconds",
    "rate-limited": "the sandbox answers no HTTP; it asks to wait in seconds",
    "cut-off": "the sandbox has no network that could end in the middle",
  },
}));

function startSandbox(scenario: Scenario, mode: Mode): FakeSystem {
  const secret = mode === "xhr" ? { password: "any" } : { api_key: "any" };
  return {
    formValues: { username: users[scenario] ?? "user_good", ...secret },
    answers: [scenario === "wrong-second-factor" ? "000000" : "123456"],
    waitSeconds: 5,
    now,
    ...(scenario === "unicode" && { texts: ["Ångström", "Kjærholm"] }),
    close: () => undefined,
  };
}
