import { createPeople, FakeStaffDir } from "./fake-staffdir.js";

const right = { company: "Lindgren", username: "ada@lindgren.example", password: "right" };

/**
 * How Rollcall checks this package: `npx rollcall provider check rollcall-staffdir`.
 * @type {import("@rollcall/provider").Conformance}
 */
export const conformance = {
  async start(scenario) {
    const fake = await FakeStaffDir.start(options[scenario] ?? {});
    return {
      baseUrl: fake.origin,
      formValues: { ...right, ...(scenario === "wrong-password" && { password: "wrong" }) },
      answers: [scenario === "wrong-second-factor" ? "000000" : "246810"],
      texts: ["Łucja", "大江", "O'Brien-Ñandú"],
      otherAccount: { formValues: { ...right, username: "bo@lindgren.example" } },
      expected,
      counts: { employees: createPeople().length },
      afterSignIn: () => {
        if (scenario === "expired-session") fake.endToken();
        fake.beginTrouble();
      },
      change: () => fake.change(),
      close: () => fake.close(),
    };
  },
  meanings: {
    rehired: { notTold: "StaffDir keeps one first day of a person." },
    future_leaver: { record: { remote_id: "7", termination_date: "2099-12-31" } },
    future_starter: { record: { remote_id: "8", start_date: "2099-01-01" } },
    away_today: { notTold: "StaffDir knows of no leave." },
    lost_right: { record: { remote_id: "1" } },
    deleted: { record: { remote_id: "5" } },
    no_email: { record: { remote_id: "4" } },
    nationality: { notTold: "StaffDir keeps no nationality." },
    weekly_hours: { notTold: "StaffDir keeps no hours." },
    legal_entities: { notTold: "An account of StaffDir has one company." },
    biweekly: { notTold: "StaffDir knows of no pay." },
    semimonthly: { notTold: "StaffDir knows of no pay." },
    nothing_readable: { refusal: "insufficient_permission" },
  },
};

/**
 * What the people of the fake have to be, in the words of the API. It is written from `createPeople` by hand: what an
 * adapter makes of a record is no proof that the adapter is right.
 * @type {import("@rollcall/provider").ExpectedRecords}
 */
const expected = {
  company: [{ remote_id: "1", legal_name: "Lindgren & Søn", display_name: "Lindgren & Søn" }],
  employees: [
    {
      remote_id: "1",
      first_name: "Łucja",
      last_name: "Lindgren",
      display_full_name: "Łucja Lindgren",
      work_email: "person.1@lindgren.example",
      job_title: "Owner",
      date_of_birth: "1980-02-29",
      tax_id: "T-1",
      start_date: "2020-03-01",
      employment_status: "active",
      groups: [{ remote_id: "7", name: "Warehouse", type: "team" }],
    },
    { remote_id: "3", termination_date: "2025-06-30", employment_status: "inactive" },
  ],
};

const inThirtySeconds = () => new Date(Date.now() + 30_000).toUTCString();

/** @type {Partial<Record<import("@rollcall/provider").Scenario, import("./fake-staffdir.js").Options>>} */
const options = {
  "second-factor": { code: "246810" },
  "wrong-second-factor": { code: "246810" },
  "missing-rights": { isAdmin: false },
  "no-rights": { mayListPeople: false },
  "two-pages": { pageSize: 2 },
  "expired-between-pages": { pageSize: 2, trouble: "short-token" },
  "cut-off": { pageSize: 2, trouble: "cut-off" },
  changes: { pageSize: 2 },
  "dead-session": { trouble: "dead-session" },
  "server-error": { trouble: { status: 500 } },
  "rate-limited": { trouble: { status: 429 } },
  "rate-limited-seconds": { trouble: { status: 429, retryAfter: () => "30" } },
  "rate-limited-date": { trouble: { status: 429, retryAfter: inThirtySeconds } },
};
