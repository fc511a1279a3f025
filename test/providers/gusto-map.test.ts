import { describe, expect, test } from "vitest";
import type { Resource } from "../../src/model/index.ts";
import type { FetchParameters, ResourceReader } from "../../src/providers/contract.ts";
import { company, workLocations } from "../../src/providers/gusto/company.ts";
import { employees } from "../../src/providers/gusto/employees.ts";
import { limits } from "../../src/providers/gusto/index.ts";
import { payruns } from "../../src/providers/gusto/payruns.ts";
import { payslips } from "../../src/providers/gusto/payslips.ts";
import { timeOffBalances, timeOffEntries, timesheets } from "../../src/providers/gusto/time.ts";
import { GustoStage } from "../support/gusto-stage.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { allScopes } from "../support/vendors/fake-gusto.ts";
import {
  contractorId,
  createCompany,
  createJob,
  createPay,
  createPerson,
  createSlip,
  departmentId,
  idOf,
  locationId,
  personId,
  runId,
  scheduleId,
  type GustoCompany,
  type GustoRow,
} from "../support/vendors/gusto-company.ts";

const march = { range: { start: "2026-03-01", end: "2026-03-31" } };
const ofRun = (number: number) => ({ payrunRemoteId: runId(number) });

function stageOf(change: Partial<GustoCompany>): GustoStage {
  return new GustoStage({ ...createCompany(), ...change });
}

/** A run with these payslips alone. */
function stageOfSlips(slips: GustoRow[], fields: GustoRow = {}): GustoStage {
  const [first] = createCompany().payrolls;
  return stageOf({ payrolls: [{ ...first!, ...fields, employee_compensations: slips }] });
}

async function firstOf(stage: GustoStage) {
  const [slip] = await stage.read(payslips, ofRun(1));
  return slip!;
}

interface Slip {
  gross_pay?: number | null | undefined;
  net_pay?: number | null | undefined;
  earnings?: readonly { amount: number }[] | null | undefined;
  deductions?: readonly { amount: number }[] | null | undefined;
  taxes?:
    readonly { amount: number; employer_tax?: boolean | null | undefined }[] | null | undefined;
  reimbursements?: readonly { amount: number }[] | null | undefined;
}
const sum = (lines: readonly { amount: number }[] | null | undefined): number =>
  (lines ?? []).reduce((all, { amount }) => all + amount, 0);
/** What the lines make more than the totals say. */
function differences({ gross_pay, net_pay, earnings, deductions, taxes, reimbursements }: Slip) {
  const ofEmployee = (taxes ?? []).filter(({ employer_tax }) => !employer_tax);
  const net = sum(earnings) - sum(deductions) - sum(ofEmployee) + sum(reimbursements);
  return [sum(earnings) - (gross_pay ?? 0), net - (net_pay ?? 0)];
}

const idsIn = async (stage: GustoStage, start: string, end: string) =>
  (await stage.read(payruns, { range: { start, end } })).map(({ remote_id: id }) => id);

const oneOf = async (stage: GustoStage, id = personId(1)) =>
  (await stage.read(employees)).find(({ remote_id }) => remote_id === id)!;

const presentOf = async (assignments: GustoRow, fields: GustoRow = {}) => {
  const staff = [createPerson(1, fields)];
  return (await oneOf(stageOf({ staff, assignments }))).employments?.[0]?.pay_frequency;
};

const paid = (flsa_status: string): GustoRow => ({
  jobs: [createJob(1, { compensations: [createPay(1, { flsa_status })] })],
});

const shift = (number: number): GustoRow => {
  const day = new Date(Date.UTC(2026, 2, 1) - number * 86_400_000).toISOString().slice(0, 10);
  return {
    ...createCompany().sheets[0],
    uuid: idOf(15, number),
    shift_started_at: `${day}T08:00:00Z`,
    shift_ended_at: `${day}T17:00:00Z`,
  };
};

describe("the records of the bakery", () => {
  const year = { range: { start: "2026-01-01", end: "2026-05-31" } };
  const recordOf = async <R extends Resource>(
    reader: ResourceReader<R>,
    id: string,
    parameters: object = year,
  ) => {
    const found = await stageOf({}).read(reader, parameters as FetchParameters<R>);
    return found.find((one) => (one as { remote_id?: string }).remote_id === id);
  };

  test("have the days, the pay and the manager of an employee", async () => {
    expect(await recordOf(employees, personId(13))).toMatchObject({
      date_of_birth: "1988-04-05",
      start_date: "2021-04-05",
      manager: { remote_id: personId(1), last_name: "O'Brien-Ñandú" },
      employments: [
        {
          effective_date: "2021-04-05",
          pay_rate: 52_013.5,
          pay_period: "YEAR",
          pay_frequency: "biweekly",
          currency: "usd",
          employment_type: "full_time",
          manager_remote_id: personId(1),
        },
      ],
    });
    expect(await recordOf(employees, personId(9))).toMatchObject({
      termination_date: "2099-12-31",
    });
    expect(await recordOf(employees, personId(20))).toMatchObject({
      termination_date: "2024-03-15",
      custom_fields: { original_start_date: "2017-06-01" },
    });
    const driver = (await recordOf(employees, personId(12)))?.employments?.[2];
    expect(driver).toMatchObject({ job_title: "Driver", pay_rate: 21.75, pay_period: "HOUR" });
  });

  test("have those of a contractor", async () => {
    expect(await recordOf(employees, contractorId(3))).toMatchObject({
      start_date: "2022-01-03",
      termination_date: "2024-04-30",
      employments: [
        { effective_date: "2022-01-03", pay_rate: 60, pay_period: "HOUR", currency: "usd" },
      ],
    });
  });

  test.each([
    ["XX-XXX0001", null],
    ["**-***0001", null],
    ["00-0000002", "00-0000002"],
  ])("have the tax id %s of a contractor as %s", async (ein, expected) => {
    const [one] = createCompany().contractors;
    const contractors = [{ ...one, type: "Business", business_name: "Flour", ein }];
    expect((await oneOf(stageOf({ contractors }), contractorId(1))).tax_id).toBe(expected);
  });

  test.each([
    ["will be back", "2099-01-05", "pending", "2099-01-05", null, "2022-01-03"],
    ["came back and left again", "2023-01-02", "inactive", "2022-01-03", "2024-04-30", undefined],
  ])("have the next first day of a contractor who %s", async (_, next, status, ...days) => {
    const [, , one] = createCompany().contractors;
    const contractors = [{ ...one, upcoming_employment: { start_date: next } }];
    const found = await oneOf(stageOf({ contractors }), contractorId(3));
    const { employment_status, start_date, termination_date, custom_fields } = found;
    expect([employment_status, start_date, termination_date]).toEqual([
      status,
      ...days.slice(0, 2),
    ]);
    expect(custom_fields?.["original_start_date"]).toBe(days[2]);
  });

  test.each([
    [{ onboarded: false }, "pending"],
    [{ onboarded: false, is_active: false }, "inactive"],
    [{ onboarded: true }, "active"],
    [{}, "active"],
  ])("with %j have the status of a contractor, as employees have it: %j", async (more, status) => {
    const [one] = createCompany().contractors;
    const found = await oneOf(stageOf({ contractors: [{ ...one, ...more }] }), contractorId(1));
    expect(found.employment_status).toBe(status);
  });

  test("have the days of a pay run, and of one without a period that of its payment", async () => {
    expect(await recordOf(payruns, runId(1))).toMatchObject({
      start_date: "2026-02-01",
      end_date: "2026-02-14",
      payment_date: "2026-02-20",
    });
    expect(await recordOf(payruns, runId(6))).toMatchObject({
      start_date: "2026-04-30",
      end_date: "2026-04-30",
    });
  });

  test("have the amounts of a payslip in cents", async () => {
    const id = `${runId(1)}/${personId(1)}`;
    expect(await recordOf(payslips, id, ofRun(1))).toMatchObject({
      currency: "usd",
      gross_pay: 283_883,
      net_pay: 196_910,
      earnings: [{ amount: 230_773, hours: 80 }, {}, {}, { name: "Vacation Hours", hours: 8 }],
      contributions: [{ amount: 37_649 }, { amount: 4_000 }],
      taxes: [
        { employer_tax: false },
        { employer_tax: false },
        { employer_tax: true },
        { employer_tax: true },
      ],
      reimbursements: [{ name: "Oven mitts" }, { name: "Reimbursement" }],
    });
  });

  test("have the times and hours of a shift, and those of open and rejected ones are left out", async () => {
    expect(await recordOf(timesheets, idOf(15, 1))).toMatchObject({
      start_time: "2026-02-17T04:00:00Z",
      end_time: "2026-02-17T13:00:00Z",
      hours_worked: 8.25,
    });
    expect(await recordOf(timesheets, idOf(15, 3))).toBeUndefined();
    expect(await recordOf(timesheets, idOf(15, 4))).toBeUndefined();
  });

  test("of time off have no name of a policy that may not be read, and it is limited", async () => {
    const stage = stageOf({});
    stage.scopes = allScopes.filter((scope) => scope !== "time_off_policies:read");
    const found = await stage.read(timeOffEntries, year);
    expect(found.find((one) => one.remote_id === idOf(14, 2))).toMatchObject({
      amount: 20,
      policy_type: "vacation",
      policy_name: null,
    });
    expect(stage.limited).toEqual(["policy_name"]);
    stage.scopes = allScopes;
    await stage.read(timeOffEntries, year);
    expect(stage.limited).toEqual([]);
  });

  test("have time off in hours, and balances of which the used part is not told", async () => {
    expect(await recordOf(timeOffEntries, idOf(14, 2))).toMatchObject({
      start_date: "2025-12-30",
      end_date: "2026-01-02",
      amount: 20,
      unit: "hours",
      policy_name: "Paid vacation",
    });
    const balances = await stageOf({}).read(timeOffBalances);
    expect(balances[0]).toMatchObject({ balance: 32.5, used: null, unit: "hours" });
    // Two people have a policy without a limit, and five the other.
    expect(balances.map(({ balance }) => balance)).toEqual([
      32.5,
      32.5,
      32.5,
      -8,
      32.5,
      null,
      null,
    ]);
  });

  test.each<[string, number, GustoRow]>([
    ["files", 2, { 1: "mailing_address", 2: "filing_address" }],
    ["gets its mail, else", 2, { 2: "mailing_address" }],
    ["is at first, else", 1, {}],
  ])("have the company where it %s", async (_name, number, purposes) => {
    const locations = [1, 2].map((each) => ({
      uuid: locationId(each),
      street_1: `${each} Mill Lane`,
      [String(purposes[each])]: true,
    }));
    const [found] = await stageOf({ locations }).read(company);
    expect(found?.address?.street_address).toBe(`${number} Mill Lane`);
  });

  test("have no location that is not active any more", async () => {
    const found = await stageOf({}).read(workLocations);
    expect(found.map(({ remote_id }) => remote_id)).toEqual([locationId(1), locationId(2)]);
  });
});

describe("payslips", () => {
  test("add up to the cent, whatever the amounts are", async () => {
    const random = new SeededRandom(7);
    const cents = (most: number): number => random.below(most);
    const slips = Array.from({ length: 500 }, (_value, index) =>
      createSlip(index + 1, {
        hours: [
          ["Regular Hours", 1 + cents(999_999), `${cents(90)}.${cents(999)}`],
          ["Overtime", cents(2) * cents(99_999), "1.005"],
        ],
        fixed: [
          ["Cash Tips", cents(2) * cents(9_999)],
          ["Bonus", cents(2) * cents(99_999)],
        ],
        timeOff: [["Vacation Hours", cents(2) * cents(99_999), "7.333"]],
        taxes: [
          ["Medicare", cents(9_999), false],
          ["Medicare", cents(9_999), true],
        ],
        deductions: [["Child Support", cents(9_999)]],
        benefits: [["401(k)", cents(9_999), cents(9_999)]],
        repaid: [["Travel", cents(2) * cents(9_999)]],
      }),
    );
    const found = await stageOfSlips(slips).read(payslips, ofRun(1));
    expect(found).toHaveLength(500);
    expect(found.map(differences)).toEqual(found.map(() => [0, 0]));
    const written = slips.map(({ gross_pay, check_amount }) => [gross_pay, check_amount]);
    const read = found.map(({ gross_pay, net_pay }) => [
      (gross_pay! / 100).toFixed(2),
      (net_pay! / 100).toFixed(2),
    ]);
    expect(read).toEqual(written);
  });

  test("tell paid time off once, where it is among the hours", async () => {
    const inside = createSlip(1, { hours: [["Regular Hours", 100_000, "80.000"]] });
    const timeOff = [{ name: "Vacation Hours", amount: "100.00", hours: "8.000" }];
    const slip = await firstOf(stageOfSlips([{ ...inside, paid_time_off: timeOff }]));
    expect(slip.earnings).toEqual([{ name: "Regular Hours", amount: 100_000, hours: 80 }]);
  });

  test.each([
    ["in older runs among fixed pay", [], ["Reimbursement"]],
    ["and not again among fixed pay", [["Taxi", 1_250]], ["Taxi"]],
  ] as const)("tell what is paid back %s", async (_name, repaid, names) => {
    const slip = createSlip(1, { hours: [["Regular Hours", 100_000, "80.000"]], repaid });
    const fixed_compensations = [{ name: "Reimbursement", amount: "12.50" }];
    const check_amount = "1012.50";
    const told = await firstOf(stageOfSlips([{ ...slip, fixed_compensations, check_amount }]));
    expect(told.reimbursements?.map(({ name }) => name)).toEqual(names);
    expect(differences(told)).toEqual([0, 0]);
  });

  test("have one line for benefits that may not be read, and say so", async () => {
    const stage = stageOf({});
    stage.scopes = allScopes.filter((scope) => scope !== "employee_benefits:read:phi");
    const partly = await firstOf(stage);
    expect(partly.deductions).toContainEqual({ name: "Other deductions", amount: 12_550 });
    expect(partly.deductions).toContainEqual({ name: "401(k)", amount: 8_000 });
    expect(stage.limited).toEqual(["contributions", "deductions"]);
    stage.scopes = allScopes.filter((scope) => !scope.startsWith("employee_benefits"));
    const slip = await firstOf(stage);
    expect(slip.deductions).toContainEqual({ name: "Other deductions", amount: 20_550 });
    expect(differences(slip)).toEqual([0, 0]);
  });

  test("leave a gap open that no hidden benefit explains", async () => {
    const slip = createSlip(1, { hours: [["Regular Hours", 100_000, "80.000"]] });
    const told = await firstOf(stageOfSlips([{ ...slip, check_amount: "900.00" }]));
    expect(told.deductions).toEqual([]);
  });

  test("say what is paid without a check as Gusto's net pay", async () => {
    const slip = createSlip(1, { hours: [["Regular Hours", 100_000, "80.000"]] });
    const told = await firstOf(stageOfSlips([{ ...slip, net_pay: "990.05", check_amount: null }]));
    expect(told.net_pay).toBe(99_005);
  });

  test("of a reversal are negative, with and without a sign at Gusto", async () => {
    const lines = { fixed: [["Bonus", -5_000]], taxes: [["Medicare", -73, false]] } as const;
    const reversal = { off_cycle: true, off_cycle_reason: "Reversal" };
    const signed = await firstOf(stageOfSlips([createSlip(1, lines)], reversal));
    expect([signed.gross_pay, signed.net_pay]).toEqual([-5_000, -4_927]);
    const [bare] = await stageOf({}).read(payslips, ofRun(4));
    expect([bare?.gross_pay, sum(bare?.earnings), bare?.taxes]).toEqual([
      -33_333,
      -33_333,
      [{ name: "Medicare", amount: -483, employer_tax: false }],
    ]);
  });

  test.each([
    ["neither", 80_000, "80.000"],
    ["its pay alone", -80_000, "80.000"],
    ["both", -80_000, "-80.000"],
  ])(
    "of a reversal have negative hours, where Gusto writes %s with a sign",
    async (_what, pay, hours) => {
      const slip = createSlip(1, { hours: [["Regular Hours", pay, hours]] });
      const reversal = { off_cycle: true, off_cycle_reason: "Reversal" };
      expect((await firstOf(stageOfSlips([slip], reversal))).earnings).toEqual([
        { name: "Regular Hours", amount: -80_000, hours: -80 },
      ]);
    },
  );

  test("are those who are paid, of processed runs that are there", async () => {
    const stage = stageOf({});
    const people = (await stage.read(payslips, ofRun(1))).map((one) => one.employee_remote_id);
    expect(people).toHaveLength(40);
    expect(people).not.toContain(personId(15));
    expect(people).not.toContain(personId(21));
    expect(await stage.read(payslips, ofRun(8))).toEqual([]);
    expect(await stage.read(payslips, ofRun(99))).toEqual([]);
  });

  test("of a run that an earlier provider paid are there, whatever Gusto calculated", async () => {
    const [first] = createCompany().payrolls;
    const stage = stageOf({ payrolls: [{ ...first!, external: true, calculated_at: null }] });
    expect(
      await stage.read(payruns, { range: { start: "2026-02-20", end: "2026-02-20" } }),
    ).toHaveLength(1);
  });

  test("break the read for an amount that is none", async () => {
    const slip = createSlip(1, { hours: [["Regular Hours", 100_000, "80.000"]] });
    const stage = stageOfSlips([{ ...slip, gross_pay: "a lot" }]);
    await expect(stage.read(payslips, ofRun(1))).rejects.toThrow("cannot be read as money, usd");
  });
});

describe("pay runs", () => {
  test("are asked for in ranges that Gusto takes, however long the asked one is", async () => {
    const stage = stageOf({});
    const found = await idsIn(stage, "1990-01-01", "2199-12-31");
    expect(new Set(found).size).toBe(found.length);
    // All but the one that nobody has calculated, and those of July, which is too far ahead.
    expect(found.toSorted()).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7].map(runId),
      "contractors-2026-03-10",
    ]);
    expect(stage.fake.counts.requests).toBeLessThan(45);
  });

  test("with a period long before their payment are found by it", async () => {
    expect(await idsIn(stageOf({}), "2026-03-13", "2026-03-13")).toContain(runId(5));
  });

  test.each([
    [["Funded", "Funded"], "2026-02-10", "paid"],
    [["Funded", undefined], "2026-02-10", null],
    [["Funded", undefined], "2026-05-10", "pending"],
    [["Unfunded", undefined], "2026-02-10", "pending"],
  ])("of contractors whose payments are %j on %s have the state %j", async (...row) => {
    const [statuses, date, state] = row;
    const [payment] = createCompany().payments;
    const payments = statuses.map((status, at) => ({
      ...payment!,
      uuid: idOf(13, at),
      date,
      status,
    }));
    const days = { range: { start: date, end: date } };
    const runs = await stageOf({ payments }).read(payruns, days);
    const found = runs.find(({ remote_id: id }) => id === `contractors-${date}`);
    expect(found?.state).toBe(state);
  });

  test.each([
    [null, "a payment of a contractor has no date"],
    ["soon", "cannot be read as day"],
  ])("of contractors need a day, and %s is none", async (date, reason) => {
    const stage = stageOf({});
    const [payment] = createCompany().payments;
    const contractor_payments = [{ payments: [{ ...payment!, date }] }];
    stage.fake.interfere = ({ path }) =>
      path.includes("contractor_payments")
        ? { status: 200, headers: { "x-total-pages": "1" }, body: { contractor_payments } }
        : undefined;
    await expect(stage.read(payruns, march)).rejects.toThrow(reason);
  });

  test("are paid from the day of payment on", async () => {
    const stage = stageOf({});
    const states = async () =>
      Object.fromEntries(
        (await stage.read(payruns, march)).map(({ remote_id: id, state }) => [id, state]),
      );
    // It is the 2nd of March there.
    expect(await states()).toMatchObject({ [runId(1)]: "paid", [runId(2)]: "pending" });
    stage.clock.advance(4 * 86_400);
    expect(await states()).toMatchObject({ [runId(2)]: "paid" });
  });
});

describe("employees", () => {
  test.each<[string, GustoRow, GustoRow, string | null]>([
    ["all", { type: "single", default_pay_schedule_uuid: scheduleId(2) }, {}, "semimonthly"],
    [
      "their department",
      {
        type: "by_department",
        departments: [{ department_uuid: departmentId(2), pay_schedule_uuid: scheduleId(2) }],
      },
      {},
      "semimonthly",
    ],
    [
      "the hour",
      { type: "hourly_salaried", hourly_pay_schedule_uuid: scheduleId(1) },
      paid("Nonexempt"),
      "biweekly",
    ],
    [
      "a salary",
      { type: "hourly_salaried", salaried_pay_schedule_uuid: scheduleId(2) },
      paid("Exempt"),
      "semimonthly",
    ],
    [
      "a salary with overtime, of which Gusto does not say it",
      { type: "hourly_salaried", salaried_pay_schedule_uuid: scheduleId(2) },
      paid("Salaried Nonexempt"),
      null,
    ],
  ])("are paid as often as the schedule for %s says", async (_name, assignments, fields, often) => {
    expect(await presentOf(assignments, fields)).toBe(often);
  });

  test.each<[string, string]>([
    ["Every week", "weekly"],
    ["Monthly", "monthly"],
    ["Quarterly", "other"],
    ["Annually", "year"],
  ])("of a schedule for %s are paid %s", async (frequency, often) => {
    const schedules = [{ uuid: scheduleId(1), frequency }];
    expect((await oneOf(stageOf({ schedules }))).employments?.[0]?.pay_frequency).toBe(often);
  });

  test("work where the list of each location has them, when their jobs do not say it", async () => {
    const staff = [1, 2, 3].map((number) =>
      createPerson(number, {
        jobs: [createJob(number, { location_uuid: undefined })],
        ...(number < 3 && { hidden_location: locationId(number) }),
      }),
    );
    const stage = stageOf({ staff });
    const found = (await stage.read(employees)).slice(-3);
    expect(found.map(({ work_location: at }) => at?.remote_id ?? null)).toEqual([
      locationId(1),
      locationId(2),
      null,
    ]);
  });

  test("are told in part without a scope, and by name which", async () => {
    const stage = stageOf({});
    const lost = async (scope: string) => {
      stage.scopes = allScopes.filter((one) => one !== scope);
      const found = await oneOf(stage, personId(8));
      return { found, limited: stage.limited.toSorted() };
    };
    const lists = ["compensation_history", "employment_history", "employments"];
    const pay = await lost("compensations:read");
    expect(pay.limited).toEqual(lists);
    expect(pay.found.employments?.[0]).toMatchObject({
      effective_date: "2022-05-02",
      pay_rate: null,
      pay_period: null,
      job_title: "Baker",
      pay_frequency: "biweekly",
    });
    expect((await lost("pay_schedules:read")).limited).toEqual([
      "compensation_history",
      "employments",
    ]);
    const history = await lost("employments:read");
    expect(history.limited).toEqual([
      "compensation_history",
      "custom_fields",
      "employment_history",
      "employment_status",
      "employments",
      "start_date",
      "termination_date",
    ]);
    expect(history.found.start_date).toBe("2022-05-02");
    expect((await lost("companies:read")).limited).toEqual(["work_location"]);
    await expect(lost("contractors:read")).rejects.toMatchObject({
      code: "insufficient_permission",
    });
  });

  test.each([
    ["before", "2016-03-01", "2022-05-02", "2016-03-01"],
    ["after", "2019-01-07", "2019-01-07", undefined],
  ])(
    "who came back, were first hired %s they left, and have no history that may be read",
    async (_, hired_at, start, first) => {
      const jobs = [createJob(1, { hire_date: "2022-05-02" })];
      const terminations = [{ effective_date: "2018-12-31" }];
      const stage = stageOf({ staff: [createPerson(1, { hired_at, jobs, terminations })] });
      stage.scopes = allScopes.filter((one) => one !== "employments:read");
      const found = await oneOf(stage);
      expect(found).toMatchObject({ start_date: start, termination_date: null });
      expect(found.custom_fields?.["original_start_date"]).toBe(first);
    },
  );

  test("without a day of hire start with their first job, and a title of a pay is the job's", async () => {
    const compensations = [createPay(1, { title: "Head baker" })];
    const jobs = [createJob(1, { hire_date: "2019-08-05", compensations })];
    const found = await oneOf(stageOf({ staff: [createPerson(1, { hired_at: null, jobs })] }));
    expect(found).toMatchObject({ start_date: "2019-08-05", job_title: "Baker" });
    expect(found.employments?.[0]?.job_title).toBe("Head baker");
  });

  test("whose job has no title have that of their present pay", async () => {
    const compensations = [
      createPay(1, { title: "Master baker", effective_date: "2099-01-01", uuid: idOf(12, 1) }),
      createPay(1, { title: "Head baker" }),
    ];
    const jobs = [createJob(1, { title: "", compensations })];
    const stage = stageOf({ staff: [createPerson(1, { jobs })] });
    expect((await oneOf(stage)).job_title).toBe("Head baker");
    expect(stage.limited).toEqual([]);
    stage.scopes = allScopes.filter((scope) => scope !== "compensations:read");
    expect((await oneOf(stage)).job_title).toBeNull();
    expect(stage.limited).toContain("job_title");
  });

  test("who left before they were hired again, and again, have left before", async () => {
    const terminations = [{ effective_date: "2019-12-31" }];
    const stage = stageOf({ staff: [createPerson(1, { terminated: true, terminations })] });
    await stage.read(employees);
    const { path } = stage.fake.requests.at(-1)!;
    expect(path).toBe(`/v1/employees/${personId(1)}/employment_history`);
  });

  test("who have left before alone take a request each", async () => {
    const stage = stageOf({});
    await stage.read(employees);
    const alone = stage.fake.requests.filter(({ path }) => path.includes("employment_history"));
    expect(alone.map(({ path }) => path)).toEqual(
      [8, 20].map((number) => `/v1/employees/${personId(number)}/employment_history`),
    );
  });
});

describe("5,000 people", () => {
  const many = Array.from({ length: 5_000 }, (_value, index) =>
    createPerson(index + 1, {
      manager_uuid: personId(((index * 7) % 5_000) + 1),
      // One in a hundred came back.
      ...(index % 100 === 0 && { terminations: [{ effective_date: "2019-12-31" }] }),
    }),
  );
  /** The pages, and one request each for contractors, locations, schedules, assignments, and who came back. */
  const least = 50 + 1 + 1 + 2 + 50;

  test("are read whole with the least requests, and a day's polls take a small part of the limit", async () => {
    const stage = stageOf({ staff: many });
    const { perMinute = 0 } = limits.quotas?.["approval"] ?? {};
    // As the host spreads them.
    stage.pace = 60 / perMinute;
    const found = await stage.read(employees);
    expect(found).toHaveLength(5_000 + 4);
    const { requests, refused } = stage.fake.counts;
    expect(refused).toBe(0);
    expect(requests).toBeLessThanOrEqual(least * 1.05);
    expect(24 * requests).toBeLessThan((24 * 60 * perMinute) / 10);
    expect(found.at(-1)?.manager?.first_name).toBe(`First${((4_999 * 7) % 5_000) + 1}`);
  });
});

describe("timesheets", () => {
  test("are read from the newest on, up to the first before the range", async () => {
    const stage = stageOf({ sheets: Array.from({ length: 900 }, (_value, index) => shift(index)) });
    const range = { start: "2026-01-01", end: "2026-01-31" };
    const found = await stage.read(timesheets, { range });
    const days = found.map(({ start_time: time }) => time?.slice(0, 10));
    expect(days.filter((day) => day! >= range.start && day! <= range.end)).toHaveLength(31);
    expect(stage.fake.counts.requests).toBe(1);
  });
});
