import type { Conformance, FakeSystem, Scenario } from "../../src/providers/conformance.ts";
import { FakeOdoo, type Interference, type OdooRow, type OdooTables } from "./fake-odoo.ts";

const password = "right";
const everyGroup = ["base.group_user", "hr.group_hr_user", "hr.group_hr_manager"];
const users = [
  { uid: 2, login: "ines@example.com", password, groups: everyGroup },
  { uid: 5, login: "otto@example.com", password, groups: everyGroup, otp: "271828" },
  { uid: 7, login: "plain@example.com", password, groups: everyGroup.slice(0, 1) },
];
const logins: Partial<Record<Scenario, string>> = {
  "second-factor": "otto@example.com",
  "wrong-second-factor": "otto@example.com",
  "missing-rights": "plain@example.com",
};
/** More than Odoo gives on one page. */
const manyPeople = 250;

/** How Odoo is checked: beside the fake server of the tests. */
export const odooConformance: Conformance = { mode: "xhr", start: startOdoo };

async function startOdoo(scenario: Scenario): Promise<FakeSystem> {
  const isLong = scenario === "two-pages" || scenario === "cut-off";
  const tables = createTables(isLong ? manyPeople : 3);
  const fake = await FakeOdoo.start({ version: 19, users, tables });
  const trouble = troubles[scenario];
  return {
    formValues: {
      url: fake.origin,
      database: "people",
      username: logins[scenario] ?? "ines@example.com",
      password: scenario === "wrong-password" ? "wrong" : password,
    },
    answers: [scenario === "wrong-second-factor" ? "000000" : "271828"],
    texts: ["Nadia", "van den Éynde", "大江"],
    counts: { employees: tables["hr.employee"]?.length ?? 0 },
    afterSignIn: () => {
      if (scenario === "dead-session") fake.endSessions();
      if (trouble === undefined) return;
      fake.interfere = ({ model, kwargs }) => {
        const isLate = JSON.stringify(kwargs["domain"] ?? "").includes('["id",">",2');
        return model === "hr.employee" && (isLate || scenario !== "cut-off")
          ? trouble()
          : undefined;
      };
    },
    close: () => fake.stop(),
  };
}

const troubles: Partial<Record<Scenario, () => Interference>> = {
  "rate-limited-seconds": () => refuse({ "retry-after": "30" }),
  "rate-limited-date": () => refuse({ "retry-after": new Date(Date.now() + 30_000).toUTCString() }),
  "rate-limited": () => refuse({}),
  "server-error": () => ({ status: 500, body: "<h1>Internal Server Error</h1>" }),
  "cut-off": () => ({
    status: 200,
    headers: { "content-type": "application/json", "content-length": "9000", connection: "close" },
    body: '{"jsonrpc":"2.0","result":[',
  }),
};

function refuse(headers: Record<string, string>): Interference {
  return { status: 429, headers, body: "" };
}

function createTables(people: number): OdooTables {
  const [nadia, ...others] = [
    {
      id: 1,
      active: true,
      name: "Nadia van den Éynde",
      work_email: "nadia@example.com",
      department_id: 31,
      work_location_id: 51,
      create_date: "2021-04-01 23:10:00",
    },
    { id: 2, active: true, name: "大江" },
    { id: 3, active: false, name: "Bram", departure_date: "2025-12-31", parent_id: 1 },
  ];
  const more = Array.from({ length: people - 3 }, (_value, index) => ({
    id: index + 4,
    active: true,
    name: `Person ${index}`,
  }));
  return {
    "res.users": users.map(({ uid, login }) => ({
      id: uid,
      name: `User ${uid}`,
      login,
      email: login,
    })),
    "res.company": [{ id: 1, active: true, name: "Ferme & Fils", country_id: 20 }],
    "res.country": [{ id: 20, name: "Belgium", code: "BE" }],
    "res.partner": [{ id: 72, name: "Dock", city: "Antwerpen", country_id: 20 }],
    "hr.department": [{ id: 31, name: "Logistics", parent_id: false }],
    "hr.employee.category": [{ id: 41, name: "First aid" }],
    "hr.work.location": [
      { id: 51, active: true, name: "Dock 3", location_type: "office", address_id: 72 },
    ],
    "hr.employee": [nadia, ...others, ...more] as OdooRow[],
  };
}
