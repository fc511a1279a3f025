// Sage HR (formerly CakeHR), with the key of an administrator. People who work there and leavers are two lists; pay and
// balances take a request for each person. It has no payroll, no times at work and no places. To add a resource, write
// one file with a reader and a line below.
import { defineProvider } from "../contract.ts";
import { requestsAtOnce } from "./client.ts";
import { company, groups } from "./organisation.ts";
import { employees } from "./people.ts";
import { keyRecipe } from "./recipes.ts";
import { checkRights, readIdentity, signIn, typedSubdomain } from "./sign-in.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries } from "./time-off.ts";

export const sageHr = defineProvider({
  apiVersion: 1,
  name: "sage-hr",
  title: "Sage HR",
  guide: "/docs/providers/sage-hr",
  modes: {
    xhr: {
      ...signIn,
      origin: typedSubdomain.origin,
      recipe: keyRecipe,
      account: typedSubdomain.account,
      check: checkRights,
      identity: readIdentity,
      resources: {
        company,
        employees,
        groups,
        "time-off-entries": timeOffEntries,
        "time-off-balances": timeOffBalances,
      },
    },
  },
  // Sage publishes no limit. A 429, or a page in place of an answer, makes a pause.
  limits: { quotas: { company: { atOnce: requestsAtOnce, perMinute: 60 } } },
  texts,
});
