import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeProvider } from "../../src/conformance/index.ts";
import { meaningNames, type MeaningAnswers } from "../../src/providers/conformance.ts";
import { kit } from "../../src/providers/kit.ts";
import { recordings, replay } from "../../src/recordings/index.ts";
import { checkedProviders } from "../support/built-in-conformances.ts";
import { meaningsGuide, replaceMeanings } from "../support/meanings.ts";
import { projectDir } from "../support/program-environment.ts";

// An adapter that tells everything and an answer to each question, and each of them with one thing wrong: the check has
// to name it.

type Row = Record<string, unknown>;
type World = Record<string, Row[]>;

const person = (remote_id: string, fields: Row = {}): Row => ({
  remote_id,
  last_name: "Holm",
  work_email: `${remote_id}@example.com`,
  employment_status: "active",
  ...fields,
});
const absence = (remote_id: string, fields: Row): Row => ({
  remote_id,
  employee_remote_id: "away",
  start_date: "2026-03-02",
  end_date: "2026-03-02",
  status: "approved",
  unit: "days",
  ...fields,
});
const period = { start_date: "2026-02-01", end_date: "2026-02-28", payment_date: "2026-02-27" };

const company = (remote_id: string) => ({ custom_fields: { company: { remote_id, name: "N" } } });
const paid = (pay_frequency: string, pay_rate: number) => ({
  employments: [{ effective_date: "2020-01-01", pay_frequency, pay_rate }],
});

function createWorld(): World {
  return {
    employees: [
      person("back", {
        start_date: "2022-05-01",
        custom_fields: { original_start_date: "2015-01-01" },
        employments: [{ effective_date: "2015-01-01" }, { effective_date: "2022-05-01" }],
      }),
      person("leaver", { termination_date: "2026-06-30", ...paid("biweekly", 900) }),
      person("starter", {
        employment_status: "pending",
        start_date: "2026-06-01",
        ...paid("semimonthly", 1_000.5),
      }),
      person("away", { employment_status: "leave", ...company("1") }),
      person("plain", { work_email: null, nationality: "NO", ...company("2") }),
      person("hours", { tax_id: "T-1", custom_fields: { weekly_working_hours: 38.5 } }),
    ],
    payruns: [{ remote_id: "run", state: "paid", ...period }],
    payslips: [
      {
        remote_id: "slip",
        employee_remote_id: "away",
        payrun_remote_id: "run",
        ...period,
        currency: "jpy",
        gross_pay: 300_000,
      },
    ],
    "time-off-entries": [
      absence("now", { start_date: "2026-03-09", end_date: "2026-03-20", amount: 10 }),
      absence("half", { amount: 0.5 }),
      absence("hours", { amount: 3, unit: "hours" }),
      absence("holiday", { end_date: "2026-03-06", amount: 4 }),
    ],
    "time-off-balances": [
      { employee_remote_id: "away", policy_remote_id: "p", balance: -5, used: 6, unit: "days" },
    ],
  };
}

function createAnswers(): MeaningAnswers {
  return {
    minor_units: { record: { remote_id: "slip", payrun_remote_id: "run", gross_pay: 300_000 } },
    overdrawn_leave: { record: { employee_remote_id: "away", balance: -5 } },
    rehired: { record: { remote_id: "back", start_date: "2022-05-01" } },
    future_leaver: { record: { remote_id: "leaver", termination_date: "2026-06-30" } },
    future_starter: { record: { remote_id: "starter", start_date: "2026-06-01" } },
    away_today: { record: { remote_id: "away" } },
    lost_right: { record: { remote_id: "hours" } },
    deleted: { record: { remote_id: "back" } },
    no_email: { record: { remote_id: "plain" } },
    nationality: { record: { remote_id: "plain", nationality: "NO" } },
    weekly_hours: {
      record: { remote_id: "hours", custom_fields: { weekly_working_hours: 38.5 } },
    },
    legal_entities: {
      record: { remote_id: "away", custom_fields: { company: { remote_id: "1", name: "N" } } },
    },
    half_day: { record: { remote_id: "half", amount: 0.5, unit: "days" } },
    leave_in_hours: { record: { remote_id: "hours", amount: 3, unit: "hours" } },
    holiday_in_leave: { record: { remote_id: "holiday", amount: 4 } },
    biweekly: {
      record: { remote_id: "leaver", employments: [{ pay_frequency: "biweekly", pay_rate: 900 }] },
    },
    semimonthly: { record: { remote_id: "starter", employments: [{ pay_rate: 1_000.5 }] } },
    nothing_readable: { refusal: "insufficient_permission" },
  };
}

interface Play {
  world?: World;
  answers?: MeaningAnswers | undefined;
  /** What is wrong with the adapter. */
  ignoresRights?: boolean;
  hidesSilently?: boolean;
  keepsDeleted?: boolean;
  resources?: readonly string[];
}

function check({ world = createWorld(), resources = Object.keys(world), ...play }: Play) {
  const { ignoresRights = false, hidesSilently = false, keepsDeleted = false } = play;
  let people = world["employees"] ?? [];
  const reader = (resource: string) => ({
    async *fetch(_context: unknown, { scenario }: Row): AsyncGenerator<Row[]> {
      if (resource !== "employees") return yield world[resource] ?? [];
      const hidden = scenario === "missing-rights" ? { tax_id: null } : {};
      yield people.map((one) => ({ ...one, ...hidden }));
    },
    map: (raw: Row) => raw,
  });
  const provider = kit.defineProvider({
    apiVersion: 1,
    name: "teller",
    title: "Teller",
    modes: {
      xhr: {
        form: kit.z.object({ scenario: kit.formField({ title: "Scenario" }) }),
        login: async (_context, { scenario = "" }) => ({ session: { scenario } }),
        check: async (_context, { scenario }) => {
          if (scenario === "no-rights" && !ignoresRights)
            throw new kit.AuthError("insufficient_permission");
          const isTold = scenario === "missing-rights" && !hidesSilently;
          return { unsupported: [], limited: isTold ? { employees: ["tax_id"] } : {} };
        },
        identity: async () => ({ name: "Ada", email: "", phone_number: null }),
        resources: Object.fromEntries(resources.map((resource) => [resource, reader(resource)])),
      },
    },
  });
  const checks = describeProvider(provider, {
    start: async (scenario) => ({
      formValues: { scenario },
      now: new Date("2026-03-18T12:00:00Z"),
      change: () => {
        if (!keepsDeleted) people = people.slice(1);
      },
      close: () => undefined,
    }),
    ...("answers" in play
      ? play.answers && { meanings: play.answers }
      : { meanings: createAnswers() }),
  });
  return checks.find(({ name }) => name === "meanings")!;
}

test("an adapter that answers each of them passes", async () => {
  const { leftOut, run } = check({});
  expect(leftOut).toBeUndefined();
  await expect(run()).resolves.toBeUndefined();
});

/** The world with another value in one record. */
function worldWith(resource: string, id: string, fields: Row): World {
  const world = createWorld();
  const found = world[resource]?.find((row) => [row["remote_id"], undefined].includes(id));
  Object.assign(found ?? world[resource]![0]!, fields);
  return world;
}

const wrongRecords: [string, World, RegExp][] = [
  [
    "yen that are multiplied as cents are",
    worldWith("payslips", "slip", { gross_pay: 30_000_000 }),
    /minor_units: gross_pay of payslips slip has to be 300000, and it is 30000000/,
  ],
  [
    "yen under a currency of two decimals",
    worldWith("payslips", "slip", { currency: "gbp" }),
    /minor_units is not shown by payslips slip: its currency is "gbp"/,
  ],
  [
    "overdrawn leave of which nothing was taken",
    worldWith("time-off-balances", "", { used: 0 }),
    /overdrawn_leave is not shown by time-off-balances away.*: what was taken, `used`, is 0/,
  ],
  [
    "a first day ever that is lost",
    worldWith("employees", "back", { custom_fields: {} }),
    /rehired is not shown by employees back: custom_fields has no original_start_date/,
  ],
  [
    "employments of the second time alone",
    worldWith("employees", "back", { employments: [{ effective_date: "2022-05-01" }] }),
    /rehired is not shown by employees back: its employments begin on 2022-05-01/,
  ],
  [
    "somebody who counts as gone before the last day",
    worldWith("employees", "leaver", { employment_status: "inactive" }),
    /future_leaver is not shown by employees leaver: its employment_status is "inactive"/,
  ],
  [
    "somebody who counts as here before the first day",
    worldWith("employees", "starter", { employment_status: "active" }),
    /future_starter is not shown by employees starter: its employment_status is "active"/,
  ],
  [
    "somebody on leave who counts as active",
    worldWith("employees", "away", { employment_status: "active" }),
    /away_today is not shown by employees away: its employment_status is "active"/,
  ],
  [
    "somebody who is away without leave of today",
    worldWith("time-off-entries", "now", { end_date: "2026-03-17" }),
    /away_today is not shown by employees away: no approved time off entry of today is theirs/,
  ],
  [
    "a login in the place of an address",
    worldWith("employees", "hours", { work_email: "ada" }),
    /no_email: employees hours: its work_email is no address/,
  ],
  [
    "a login of who has no address",
    worldWith("employees", "plain", { work_email: "plain@login.invalid" }),
    /no_email is not shown by employees plain: its work_email is/,
  ],
  [
    "a nationality in words",
    worldWith("employees", "hours", { nationality: "Canadian" }),
    /nationality: employees hours: its nationality is no code of ISO 3166 alpha-2/,
  ],
  [
    "leave that was converted",
    worldWith("time-off-entries", "hours", { amount: 0.375, unit: "days" }),
    /leave_in_hours: amount of time-off-entries hours has to be 3, and it is 0.375/,
  ],
  [
    "leave that counts its days and not what was taken off",
    worldWith("time-off-entries", "holiday", { amount: 5 }),
    /holiday_in_leave: amount of time-off-entries holiday has to be 4, and it is 5/,
  ],
  [
    "pay of two weeks as pay of a month",
    worldWith("employees", "leaver", {
      employments: [{ effective_date: "2020-01-01", pay_frequency: "monthly", pay_rate: 1_950 }],
    }),
    /biweekly: employments.pay_frequency of employees leaver has to be "biweekly"/,
  ],
];

test.each(wrongRecords)("notices %s", async (_what, world, wrong) => {
  await expect(check({ world }).run()).rejects.toThrow(wrong);
});

describe("answers", () => {
  test.each(meaningNames)("one that is missing is named: %s", async (name) => {
    const { [name]: _missing, ...answers } = createAnswers();
    await expect(check({ answers }).run()).rejects.toThrow(
      `\`meanings\` does not answer ${name}: `,
    );
  });

  test("of data that is not read are not needed", async () => {
    const answers = { nothing_readable: { refusal: "insufficient_permission" } };
    await expect(check({ resources: ["payruns"], answers }).run()).resolves.toBeUndefined();
  });

  test.each(
    meaningNames.filter((name) => !["lost_right", "deleted", "nothing_readable"].includes(name)),
  )("%s cannot be called untold when a record shows it", async (name) => {
    const answers = { ...createAnswers(), [name]: { notTold: "It is not told." } };
    await expect(check({ answers }).run()).rejects.toThrow(
      new RegExp(`${name} counts as not told, and .* shows it`),
    );
  });

  test.each([
    [{ half_day: { record: { remote_id: "half" } } }, /half_day: its record has to say what the/],
    [{ half_day: { record: { remote_id: "none", amount: 1, unit: "days" } } }, /none is not there/],
    [
      { half_day: { record: { remote_id: "holiday", amount: 4, unit: "days" } } },
      /half_day is not shown by time-off-entries holiday: its amount is 4/,
    ],
    [{ rehired: { refusal: "none" } }, /rehired has to name a record/],
    [{ nothing_readable: { refusal: "another" } }, /refused with “insufficient_permission”/],
    [{ nationalities: { notTold: "It is not." } }, /`meanings` answers .*nationalities: there are/],
  ] as const)("are refused that show nothing: %o", async (wrong, message) => {
    const answers = { ...createAnswers(), ...wrong } as MeaningAnswers;
    await expect(check({ answers }).run()).rejects.toThrow(message);
  });

  test("are left out, with what there is to answer, of a package that has none", () => {
    const { leftOut } = check({ answers: undefined, resources: ["time-off-entries"] });
    expect(leftOut).toContain(
      "say for each of half_day, leave_in_hours, holiday_in_leave, nothing_readable",
    );
  });
});

test.each([
  ["lets in who may read nothing", { ignoresRights: true }, /nothing_readable: the sign-in succe/],
  [
    "hides a field without a word",
    { hidesSilently: true },
    /lost_right: with fewer rights tax_id of employees hours are others, and not named as limited/,
  ],
  ["keeps who was deleted", { keepsDeleted: true }, /deleted: employee back is there after/],
])("an adapter that %s is noticed", async (_what, play, wrong) => {
  await expect(check(play).run()).rejects.toThrow(wrong);
});

test("recordings of the built-in providers answer, and fill what their fakes fill, too", async () => {
  const real = checkedProviders.filter(({ definition }) => !definition.isSimulated);
  for (const { definition } of real)
    for (const recording of recordings.findBuiltIn(definition.name)) {
      const conformance = replay.conformanceOf(recording, { onMissing: () => undefined });
      const checks = describeProvider(definition, conformance);
      for (const found of checks.filter(({ name }) => /^(?:meanings|filled-fields)$/.test(name))) {
        expect(found.leftOut).toBeUndefined();
        await expect(found.run()).resolves.not.toThrow();
      }
    }
});

test("the guide says which systems tell what, as `npm run meanings` writes it", () => {
  const guide = readFileSync(join(projectDir, meaningsGuide), "utf8");
  expect(guide).toEqual(replaceMeanings(guide, checkedProviders));
});
