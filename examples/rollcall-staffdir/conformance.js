import { createPeople, FakeStaffDir } from "./fake-staffdir.js";

const right = { company: "Lindgren", username: "ada@lindgren.example", password: "right" };

/**
 * How Rollcall checks this package: `npx rollcall provider check rollcall-staffdir`.
 * @type {import("rollcall/provider").Conformance}
 */
export const conformance = {
  async start(scenario) {
    const fake = await FakeStaffDir.start(options[scenario] ?? {});
    return {
      baseUrl: fake.origin,
      formValues: { ...right, ...(scenario === "wrong-password" && { password: "wrong" }) },
      answers: [scenario === "wrong-second-factor" ? "000000" : "246810"],
      texts: ["Łucja", "大江", "O'Brien-Ñandú"],
      counts: { employees: createPeople().length },
      afterSignIn: () => {
        if (scenario === "expired-session") fake.endToken();
        fake.beginTrouble();
      },
      change: () => fake.change(),
      close: () => fake.close(),
    };
  },
};

const inThirtySeconds = () => new Date(Date.now() + 30_000).toUTCString();

/** @type {Partial<Record<import("rollcall/provider").Scenario, import("./fake-staffdir.js").Options>>} */
const options = {
  "second-factor": { code: "246810" },
  "wrong-second-factor": { code: "246810" },
  "missing-rights": { isAdmin: false },
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
