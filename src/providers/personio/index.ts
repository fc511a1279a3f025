// Personio, by its official API: people, absences and balances by v1, working times, groups and companies by v2. The
// customer's credentials are kept, because Personio gives no refresh token. To add a resource, write one file with a
// reader, a line below and a probe in check-rights.ts.
import { defineProvider } from "../contract.ts";
import { checkRights } from "./check-rights.ts";
import { company } from "./company.ts";
import { employees } from "./employees.ts";
import { groups } from "./groups.ts";
import { parseSession } from "./personio-session.ts";
import { expiresAt, logIn, readIdentity, refresh } from "./sign-in.ts";
import { signInForm, toAccount } from "./sign-in-form.ts";
import { texts } from "./texts.ts";
import { timeOffBalances } from "./time-off-balances.ts";
import { timeOffEntries } from "./time-off-entries.ts";
import { timesheets } from "./timesheets.ts";
import { waitSeconds } from "./wait-seconds.ts";
import { workLocations } from "./work-locations.ts";

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
      account: toAccount,
      accountOfSession: (session) => [parseSession(session).clientId],
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
  limits: {
    quotas: {
      address: { perMinute: 2_000, isShared: true },
      // Without a limit that is known. A refusal of v1 pauses it.
      customer: {},
      employees: { perSecond: 15, perMinute: 300 },
      // As others measured it. Personio's answers say it for each endpoint.
      endpoint: { perSecond: 10 },
    },
    waitSeconds,
  },
});
