// Frappe HR on ERPNext, with the key of one user. Every customer has an own server, version and rights: what a read may
// not see whole, it does not tell. To add a resource, write a reader, and a line below and in `doctypesOf`.
import { defineProvider } from "../contract.ts";
import { employees } from "./employees.ts";
import { company, groups, workLocations } from "./organisation.ts";
import { payruns, payslips } from "./payroll.ts";
import { accountOf, checkRights, readIdentity, signIn, toAccount, typedOrigin } from "./sign-in.ts";
import { keyRecipe } from "./recipes.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries } from "./time-off.ts";
import { timesheets } from "./timesheets.ts";

export const frappeHr = defineProvider({
  apiVersion: 1,
  name: "frappe-hr",
  title: "Frappe HR",
  tags: ["payroll"],
  guide: "/docs/providers/frappe-hr",
  modes: {
    xhr: {
      ...signIn,
      origin: typedOrigin,
      recipe: keyRecipe,
      account: toAccount,
      accountOfSession: accountOf,
      check: checkRights,
      identity: readIdentity,
      resources: {
        company,
        employees,
        groups,
        payruns,
        payslips,
        timesheets,
        "time-off-entries": timeOffEntries,
        "time-off-balances": timeOffBalances,
        "work-locations": workLocations,
      },
    },
  },
  // A limit counts seconds of work, and is off unless the customer sets it: then a 429 says how long to wait.
  limits: { quotas: { site: { atOnce: 2, perMinute: 120 } } },
  texts,
});
