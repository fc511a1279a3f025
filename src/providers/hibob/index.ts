// Bob by HiBob, with a service user of the customer. Its OAuth2 is for approved partners alone, so there is no official
// mode; it has no pay runs and no payslips. Rights go by categories of fields, and what is hidden is left out of answers.
// To add a resource, write one file with a reader and a line below.
import { defineProvider } from "../contract.ts";
import { quotas } from "./client.ts";
import { employees } from "./employees.ts";
import { company, groups, workLocations } from "./organisation.ts";
import { accountOf, checkRights, readIdentity, signIn } from "./sign-in.ts";
import { keyRecipe } from "./recipes.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries } from "./time-off.ts";
import { timesheets } from "./timesheets.ts";

const mostSeconds = 120;

export const hibob = defineProvider({
  apiVersion: 1,
  name: "hibob",
  title: "HiBob",
  guide: "/docs/providers/hibob",
  modes: {
    xhr: {
      ...signIn,
      recipe: keyRecipe,
      account: ({ id = "" }) => ({ login: id.trim() }),
      accountOfSession: accountOf,
      check: checkRights,
      identity: readIdentity,
      resources: {
        company,
        employees,
        groups,
        "work-locations": workLocations,
        timesheets,
        "time-off-entries": timeOffEntries,
        "time-off-balances": timeOffBalances,
      },
    },
  },
  limits: {
    quotas,
    waitSeconds: ({ status, headers, now }) => {
      const reset = Number(headers["x-ratelimit-reset"]);
      if (status !== 429 || headers["retry-after"] !== undefined || !(reset > 0)) return undefined;
      return Math.min(Math.max(1, Math.ceil(reset - now.getTime() / 1_000)), mostSeconds);
    },
  },
  texts,
});
