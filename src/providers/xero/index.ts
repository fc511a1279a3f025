// Xero Payroll of British organisations. The person approves on Xero's own page, by OAuth 2, and the data come from
// Xero's API: Xero offers no other way in, so both modes have the same sign-in. Pay runs and payslips are in `xhr`
// alone, because `official` has none. The description of the API and the fake of the tests are what it was made
// against; it has not been tried on an organisation at Xero.
import { defineProvider } from "../contract.ts";
import { company } from "./company.ts";
import { employees } from "./employees.ts";
import { groups } from "./groups.ts";
import { payruns } from "./payruns.ts";
import { payslips } from "./payslips.ts";
import { limits } from "./rate-limits.ts";
import { signIn } from "./sign-in.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries } from "./time-off.ts";
import { timesheets } from "./timesheets.ts";

const resources = {
  company,
  employees,
  groups,
  timesheets,
  "time-off-entries": timeOffEntries,
  "time-off-balances": timeOffBalances,
};

export const xero = defineProvider({
  apiVersion: 1,
  name: "xero",
  title: "Xero Payroll UK",
  tags: ["payroll", "uk"],
  modes: {
    xhr: { ...signIn, resources: { ...resources, payruns, payslips } },
    official: { ...signIn, resources },
  },
  limits,
  guide: "/docs/providers/xero",
  texts,
});
