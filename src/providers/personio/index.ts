// Personio, by its official API: people, absences and balances by v1, working times, groups and companies by v2. The
// customer's credentials are kept, because Personio gives no refresh token. To add a resource, write one file with a
// reader, a line below and a probe in check-rights.ts.
import { defineProvider } from "../contract.ts";
import { checkRights } from "./check-rights.ts";
import { employees } from "./employees.ts";
import { limits } from "./limits.ts";
import { company, groups, workLocations } from "./organisation.ts";
import { api } from "./personio-client.ts";
import { credentialsRecipe } from "./recipes.ts";
import { expiresAt, logIn, readIdentity, refresh } from "./sign-in.ts";
import { signInForm, toAccount } from "./sign-in-form.ts";
import { texts } from "./texts.ts";
import { timeOffEntries } from "./time-off.ts";
import { timeOffBalances } from "./time-off-balances.ts";
import { timesheets } from "./timesheets.ts";

export const personio = defineProvider({
  apiVersion: 1,
  name: "personio",
  title: "Personio",
  guide: "/docs/providers/personio",
  texts,
  modes: {
    official: {
      keepsSecret: true,
      form: signInForm,
      recipe: credentialsRecipe,
      account: toAccount,
      accountOfSession: (session) => [api.parse(session).clientId],
      login: logIn,
      refresh,
      expiresAt,
      check: checkRights,
      identity: readIdentity,
      resources: {
        company,
        employees,
        groups,
        "time-off-balances": timeOffBalances,
        "time-off-entries": timeOffEntries,
        timesheets,
        "work-locations": workLocations,
      },
    },
  },
  limits,
});
