// Employment Hero Payroll, formerly KeyPay, of five countries: one business by the API key of a user who sees it. The
// vendor gives no description of its answers; their fields are those of its own client library, and nothing was tried
// against the live service. The countries differ by the tables in client.ts and payslip-amounts.ts.
import { defineProvider } from "../contract.ts";
import { employees } from "./employees.ts";
import { company, groups, workLocations } from "./organisation.ts";
import { payruns } from "./payruns.ts";
import { payslips } from "./payslips.ts";
import { accountOf, checkRights, readIdentity, signIn } from "./sign-in.ts";
import { keyRecipe } from "./recipes.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries } from "./time-off.ts";
import { timesheets } from "./timesheets.ts";

const shared = {
  ...signIn,
  recipe: keyRecipe,
  accountOfSession: accountOf,
  check: checkRights,
  identity: readIdentity,
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

export const employmentHero = defineProvider({
  apiVersion: 1,
  name: "employment-hero",
  title: "Employment Hero Payroll",
  guide: "/docs/providers/employment-hero",
  tags: ["payroll", "australia", "new-zealand", "uk", "singapore", "malaysia"],
  modes: {
    xhr: { ...shared, resources: { ...resources, payruns, payslips } },
    official: { ...shared, resources },
  },
  // Five a second from one address, which all customers share: one is left free.
  limits: {
    quotas: { address: { perSecond: 4, isShared: true }, business: { atOnce: 2 } },
  },
  texts,
});
