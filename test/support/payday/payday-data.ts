/** Who signs in. */
export interface User {
  id: number;
  name: string;
  password: string;
  /** Who may not read pay. */
  isClerk?: boolean;
}

export const users: readonly User[] = [
  { id: 81, name: "ada@lindqvist.example", password: "right-password" },
  { id: 82, name: "bo@lindqvist.example", password: "other-password" },
  { id: 83, name: "clerk@lindqvist.example", password: "clerks-password", isClerk: true },
];

export const company = { id: 1, name: "Lindqvist & Söhne GmbH", country: "DE" };

export interface Person {
  id: number;
  /** The number of the contract, which is none of a person. */
  contract: number;
  given?: string;
  family: string;
  mail?: string;
  title?: string;
  born?: string;
  from?: string;
  left?: string;
  boss?: number;
  team?: { id: number; name: string };
  salary?: { amount: string; per: "hour" | "month" | "year"; since: string };
  street?: string;
  floor?: string;
}

const kitchen = { id: 5, name: "Kitchen" };

export const people: readonly Person[] = [
  {
    id: 11,
    contract: 911,
    given: "Łucja",
    family: "Lindqvist",
    mail: "lucja@lindqvist.example",
    title: "Owner",
    born: "1980-02-29",
    from: "2019-03-01",
    team: kitchen,
    salary: { amount: "54000.00", per: "year", since: "2019-03-01" },
    street: "Domstraße 3",
  },
  {
    id: 12,
    contract: 912,
    given: "大江",
    family: "O'Brien-Ñandú",
    mail: "dajiang@lindqvist.example",
    born: "1991-11-05",
    from: "2022-06-15",
    boss: 11,
    team: kitchen,
    salary: { amount: "18.50", per: "hour", since: "2024-01-01" },
  },
  {
    id: 13,
    contract: 913,
    given: "Greta",
    family: "Sommer",
    from: "2020-01-01",
    left: "2025-06-30",
  },
  { id: 14, contract: 914, family: "Nobody" },
];

export interface Payrun {
  id: number;
  from: string;
  to: string;
  paid: string;
  isPaid: boolean;
}

/** Paid in the month after. */
export const payruns: readonly Payrun[] = [
  { id: 201, from: "2026-01-01", to: "2026-01-31", paid: "2026-02-05", isPaid: true },
  { id: 202, from: "2026-02-01", to: "2026-02-28", paid: "2026-03-05", isPaid: true },
  { id: 203, from: "2026-03-01", to: "2026-03-31", paid: "2026-04-07", isPaid: false },
];

export interface Payslip {
  id: number;
  run: number;
  person: number;
  contract: number;
  gross: string;
  net: string;
  lines: readonly {
    kind: "pay" | "deduction" | "tax" | "employer-tax" | "expense";
    text: string;
    amount: string;
    hours?: number;
  }[];
}

export const payslips: readonly Payslip[] = [
  ...[201, 202].flatMap((run) => [
    createPayslip(run, 11, ["4500.00", "3120.00"], "0.00"),
    createPayslip(run, 12, ["2460.50", "1610.50"], "30.00"),
  ]),
  createPayslip(202, 13, ["1980.00", "1130.00"], "30.00"),
];

/** With 600 of tax, 300 of pension and 240 that the employer pays. */
function createPayslip(
  run: number,
  person: number,
  [gross, net]: [gross: string, net: string],
  expense: string,
): Payslip {
  const [tax, pension] = person === 11 ? ["1000.00", "380.00"] : ["600.00", "280.00"];
  const lines = [
    { kind: "pay", text: "Salary", amount: gross, hours: 133 },
    { kind: "tax", text: "Wage tax", amount: tax },
    { kind: "deduction", text: "Pension", amount: pension },
    { kind: "employer-tax", text: "Employer's share", amount: "240.00" },
    { kind: "expense", text: "Travel", amount: expense },
  ] as const;
  const used = lines.filter(({ amount }) => amount !== "0.00");
  return { id: run * 100 + person, run, person, contract: person + 900, gross, net, lines: used };
}

export interface Shift {
  id: number;
  person: number;
  contract: number;
  from: string;
  to: string;
  minutes: number;
}

/** Of the clock in Berlin. */
export const shifts: readonly Shift[] = [
  shift(301, 12, ["2026-03-02T09:00", "2026-03-02T17:30"], 480),
  shift(302, 12, ["2026-03-03T00:30", "2026-03-03T06:30"], 360),
  shift(303, 11, ["2026-03-30T08:00", "2026-03-30T12:00"], 240),
];

function shift(id: number, person: number, [from, to]: [string, string], minutes: number): Shift {
  return { id, person, contract: person + 900, from, to, minutes };
}

export interface Absence {
  id: number;
  person: number;
  from: string;
  to: string;
  amount: number;
  unit: "h" | "d";
  state: "asked" | "granted" | "refused";
  kind: "holiday" | "illness";
}

export const absences: readonly Absence[] = [
  absence(401, ["2026-02-27", "2026-03-06"], [6, "d"], ["granted", "holiday"]),
  absence(402, ["2026-03-10", "2026-03-10"], [4, "h"], ["asked", "holiday"]),
  absence(403, ["2026-03-16", "2026-03-18"], [3, "d"], ["granted", "illness"]),
];

function absence(
  id: number,
  [from, to]: [string, string],
  [amount, unit]: [number, Absence["unit"]],
  [state, kind]: [Absence["state"], Absence["kind"]],
): Absence {
  return { id, person: 12, from, to, amount, unit, state, kind };
}

export interface Balance {
  person: number;
  kind: Absence["kind"];
  left: number;
  taken: number;
}

export const balances: readonly Balance[] = [
  { person: 11, kind: "holiday", left: 28, taken: 2 },
  { person: 12, kind: "holiday", left: 20.5, taken: 9.5 },
];
