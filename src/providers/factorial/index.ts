// Factorial, with the key of a company (`xhr`) or with the approval of an administrator for the company, by OAuth2
// (`official`). Lists have pages by a cursor. People are joined with seven other lists. It says which figures a payroll
// office sent back, and not which of them are gross or net, so there are no payslips. To add a resource, write a reader,
// a line below and one in the check of sign-in.ts.
import { defineProvider } from "../contract.ts";
import { company, groups, workLocations } from "./organisation.ts";
import { payruns } from "./payruns.ts";
import { employees } from "./people.ts";
import { withApproval, withKey } from "./sign-in.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries } from "./time-off.ts";
import { timesheets } from "./timesheets.ts";

const resources = {
  company,
  employees,
  groups,
  "work-locations": workLocations,
  timesheets,
  "time-off-entries": timeOffEntries,
  "time-off-balances": timeOffBalances,
};

export const factorial = defineProvider({
  apiVersion: 1,
  name: "factorial",
  title: "Factorial",
  guide: "/docs/providers/factorial",
  modes: {
    xhr: { ...withKey, resources: { ...resources, payruns } },
    official: { ...withApproval, resources },
  },
  // Factorial publishes a limit of writing alone: 200 a minute.
  limits: { quotas: { company: { perMinute: 200, atOnce: 2 } } },
  texts,
});
