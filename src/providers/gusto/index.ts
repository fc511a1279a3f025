// Gusto, payroll of the United States, by App Integrations. The person approves on Gusto's own page, by OAuth 2, and the
// data come from Gusto's API: a company cannot make a key for itself, so both modes have the same sign-in. Pay runs and
// payslips are in `xhr` alone, because `official` has none. The description of the API and the fake of the tests are
// what it was made against; it has not been tried on a company at Gusto.
import { defineProvider, type ProviderDefinition } from "../contract.ts";
import { company, groups, workLocations } from "./company.ts";
import { employees } from "./employees.ts";
import { payruns } from "./payruns.ts";
import { payslips } from "./payslips.ts";
import { signIn } from "./sign-in.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries, timesheets } from "./time.ts";

const windowSeconds = 60;

/** Gusto counts the last minute for each approval, and need not say when there is room again. */
export const limits: NonNullable<ProviderDefinition["limits"]> = {
  quotas: { approval: { perMinute: 200 } },
  waitSeconds: ({ status, headers }) =>
    status === 429 && headers["retry-after"] === undefined ? windowSeconds : undefined,
};

const resources = {
  company,
  employees,
  groups,
  "work-locations": workLocations,
  timesheets,
  "time-off-entries": timeOffEntries,
  "time-off-balances": timeOffBalances,
};

export const gusto = defineProvider({
  apiVersion: 1,
  name: "gusto",
  title: "Gusto",
  tags: ["payroll", "us"],
  modes: {
    xhr: { ...signIn, resources: { ...resources, payruns, payslips } },
    official: { ...signIn, resources },
  },
  limits,
  guide: "/docs/providers/gusto",
  texts,
});
