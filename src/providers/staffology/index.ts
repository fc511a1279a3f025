// Staffology, payroll of the United Kingdom. Reads one employer with the API key of a user who sees it. Follows the
// vendor's description of July 2026; what it leaves open is read so that it cannot go wrong: pages are read until one
// has nothing new, addresses in answers are never followed, and payslips whose sums do not hold have no lines. A
// resource is one file with a reader and a pure mapping, and a line below.
import { defineProvider } from "../contract.ts";
import { company } from "./company.ts";
import { employees } from "./employees.ts";
import { groups } from "./groups.ts";
import { timeOffEntries } from "./leave.ts";
import { timeOffBalances } from "./leave-balances.ts";
import { payruns } from "./payruns.ts";
import { payslips } from "./payslips.ts";
import { keyRecipe } from "./recipes.ts";
import { checkRights, readIdentity, signIn } from "./sign-in.ts";
import { api, requestsAtOnce } from "./staffology-client.ts";
import { texts } from "./texts.ts";

export const staffology = defineProvider({
  apiVersion: 1,
  name: "staffology",
  title: "Staffology",
  guide: "/docs/providers/staffology",
  tags: ["payroll", "uk"],
  modes: {
    xhr: {
      ...signIn,
      recipe: keyRecipe,
      accountOfSession: (session) => [api.parse(session).userId],
      check: checkRights,
      identity: readIdentity,
      resources: {
        company,
        employees,
        groups,
        payruns,
        payslips,
        "time-off-entries": timeOffEntries,
        "time-off-balances": timeOffBalances,
      },
    },
  },
  limits: { quotas: { user: { atOnce: requestsAtOnce } } },
  texts,
});
