// Xero Payroll of organisations in Britain, New Zealand and Australia. The person approves on Xero's own page, by OAuth 2, and the data come from
// Xero's API: Xero offers no other way in, so both modes have the same sign-in. Pay runs and payslips are in `xhr`
// alone, because `official` has none. The description of the API and the fake of the tests are what it was made
// against; it has not been tried on an organisation at Xero.
import { defineProvider, type ProviderDefinition } from "../contract.ts";
import { company } from "./company.ts";
import { employees } from "./employees.ts";
import { payruns } from "./payruns.ts";
import { payslips } from "./payslips.ts";
import { groups } from "./settings.ts";
import { signIn } from "./sign-in.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries } from "./time-off.ts";
import { timesheets } from "./timesheets.ts";

type Limits = NonNullable<ProviderDefinition["limits"]>;

const resources = {
  company,
  employees,
  groups,
  timesheets,
  "time-off-entries": timeOffEntries,
  "time-off-balances": timeOffBalances,
};

/** By the word that names the limit, for a refusal without `Retry-After`. */
const waits = [
  ["concurrent", 2],
  ["minute", 60],
  ["app", 60],
  ["day", 3_600],
] as const;

/**
 * Xero counts for each organisation, and for the application over all of them. Applications of its smallest tier have
 * 1,000 a day for an organisation: then it refuses and says so.
 */
export const limits: Limits = {
  quotas: {
    tenant: { perMinute: 60, perDay: 5_000, atOnce: 5 },
    application: { perMinute: 10_000, isShared: true },
  },
  // Only the limit of requests at once is told without a time.
  waitSeconds: ({ status, headers }) => {
    if (status !== 429 || headers["retry-after"] !== undefined) return undefined;
    const problem = (headers["x-rate-limit-problem"] ?? "").trim().toLowerCase();
    return waits.find(([word]) => problem.startsWith(word))?.[1];
  },
};

export const xero = defineProvider({
  apiVersion: 1,
  name: "xero",
  title: "Xero Payroll",
  tags: ["payroll", "uk", "nz", "au"],
  modes: {
    xhr: { ...signIn, resources: { ...resources, payruns, payslips } },
    official: { ...signIn, resources },
  },
  limits,
  guide: "/docs/providers/xero",
  texts,
});
