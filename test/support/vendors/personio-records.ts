// Invented records in the forms that Personio's two versions give.

export type PersonioRecord = Record<string, unknown>;

/** An employee of v1 with these values. An array is a value with its currency. */
export function employee(
  id: number,
  values: Record<string, unknown>,
  updatedAt = "2026-01-05T09:00:00",
): { record: PersonioRecord; updatedAt: string } {
  const attributes = Object.fromEntries(
    Object.entries({ id, ...values }).map(([name, value]) => [name, attribute(name, value)]),
  );
  return { record: { type: "Employee", attributes }, updatedAt };
}

export function idOf({ attributes }: PersonioRecord): unknown {
  return (attributes as { id: { value: unknown } }).id.value;
}

export function attribute(name: string, value: unknown): PersonioRecord {
  const isSalary = Array.isArray(value) && typeof value[1] === "string";
  const [amount, currency] = isSalary ? (value as [unknown, string]) : [value, undefined];
  return {
    label: name,
    value: amount,
    type: "standard",
    universal_id: name,
    ...(currency && { currency }),
  };
}

function related(type: string, id: number, name: string): PersonioRecord {
  return { type, attributes: { id, name } };
}

export function dynamic(label: string, value: unknown, universalId: string | null = null) {
  return { label, value, type: "standard", universal_id: universalId };
}

const munich = related("Office", 41, "München");

/** Nadia has all that is mapped. 大江 has a name alone. Bram left. Ida is paid by the hour, and begins later. */
export function createPeople(count = 4): { record: PersonioRecord; updatedAt: string }[] {
  const nadia = employee(11, {
    first_name: "Nadia",
    last_name: "van den Éynde",
    preferred_name: "Nadia Éynde",
    email: "nadia@example.com",
    gender: "female",
    status: "active",
    position: "Planner",
    supervisor: { type: "Employee", attributes: { id: attribute("id", 14) } },
    employment_type: "internal",
    hire_date: "2014-11-09T00:00:00+01:00",
    termination_date: null,
    created_at: "2017-05-23T00:49:03+02:00",
    office: munich,
    subcompany: related("Subcompany", 7033, "Ferme & Fils GmbH"),
    weekly_working_hours: "40",
    department: related("Department", 21, "Support"),
    team: related("Team", 21, "Night"),
    cost_centers: [{ ...related("CostCenter", 31, "Rhine"), percentage: 100 }],
    fix_salary: [3000.5, "EUR"],
    fix_salary_interval: "monthly",
    hourly_salary: [0, "EUR"],
  });
  Object.assign(nadia.record["attributes"] as object, {
    dynamic_1: dynamic("IBAN", "DE89 3704 0044 0532 0130 00", "iban"),
    dynamic_2: dynamic("Shirt", "M"),
    dynamic_3: dynamic("Birthday", "1985-07-30T00:00:00+02:00", "birthday"),
    dynamic_4: dynamic("Number", "N-11", "personnel_number"),
    dynamic_5: dynamic("Street", "Kade 12", "street"),
    dynamic_6: dynamic("Nationality", "Niederlande", "nationality"),
  });
  const named = [
    nadia,
    employee(12, { last_name: "大江" }),
    employee(13, {
      first_name: "Bram",
      last_name: "Holm",
      status: "inactive",
      hire_date: "2020-07-01T00:00:00+0200",
      termination_date: "2025-12-31T00:00:00+0100",
    }),
    employee(14, {
      first_name: "Ida",
      last_name: "Roth",
      status: "onboarding",
      employment_type: "external",
      hourly_salary: ["41.5", "CHF"],
      office: munich,
    }),
  ];
  const more = Array.from({ length: Math.max(0, count - named.length) }, (_value, index) =>
    employee(100 + index, { first_name: "Person", last_name: String(index), status: "active" }),
  );
  return [...named, ...more];
}

export const timeOffTypes = [
  { id: 51, name: "Paid vacation", category: "paid_vacation", unit: "day" },
  { id: 52, name: "Sick leave", category: "sick_leave", unit: "day" },
  { id: 53, name: "Overtime", category: null, unit: "hour" },
  { id: 54, name: "Home office", category: "offsite_work", unit: "day" },
];

const shortEmployee = (id: number): PersonioRecord => ({
  type: "Employee",
  attributes: { id: attribute("id", id) },
});

export function timeOff(id: number, values: PersonioRecord = {}): PersonioRecord {
  return {
    type: "TimeOffPeriod",
    attributes: {
      id,
      status: "approved",
      start_date: "2026-02-02T00:00:00+0100",
      end_date: "2026-02-04T00:00:00+0100",
      days_count: 2.5,
      time_off_type: {
        type: "TimeOffType",
        attributes: { id: 51, name: "Paid vacation", category: "paid_vacation" },
      },
      employee: shortEmployee(11),
      created_at: "2026-01-17T00:32:18+0100",
      updated_at: "2026-01-18T10:32:18+0100",
      ...values,
    },
  };
}

export function absencePeriod(id: string, values: PersonioRecord = {}): PersonioRecord {
  return {
    type: "AbsencePeriod",
    attributes: {
      id,
      measurement_unit: "hour",
      effective_duration: 960,
      employee: shortEmployee(11),
      absence_type: {
        type: "AbsenceType",
        attributes: { id: "a-53", name: "Overtime", time_off_type_id: 53 },
      },
      start: "2026-02-09T23:00:00.0Z",
      end: "2026-02-11T23:00:00.0Z",
      status: "approved",
      timezone: "Europe/Berlin",
      comment: "moving",
      created_at: "2026-02-01T14:29:56.510Z",
      updated_at: "2026-02-02T14:29:56.510Z",
      ...values,
    },
  };
}

export const balances = [
  {
    id: 51,
    name: "Paid vacation",
    category: "paid_vacation",
    balance: 10.5,
    available_balance: 8.5,
  },
  { id: 53, name: "Overtime", category: null, balance: -3, available_balance: -3 },
  { id: 54, name: "Home office", category: "offsite_work", balance: 1, available_balance: 1 },
];

/** A period of v2 on one day, or over midnight. */
export function period(
  id: string,
  type: "WORK" | "BREAK",
  [start, end]: [start: string, end: string | null],
  values: PersonioRecord = {},
): PersonioRecord {
  return {
    id,
    type,
    person: { id: "11" },
    start: { date_time: start },
    end: end === null ? null : { date_time: end },
    attribution_date: start.slice(0, 10),
    approval: { status: "CONFIRMED" },
    updated_at: "2026-03-03T10:00:00Z",
    ...values,
  };
}
