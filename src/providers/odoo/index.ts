// Odoo 14 to 19, hosted by Odoo or by the customer. Reads hr.employee and related models over
// Odoo's JSON-RPC, with the session of a person who signed in. Leaves out what the server lacks or
// the account may not read. Version 19 is tested on a running server. Support for 14 to 18 follows
// the source of 14 and is not tested on a server. To add a resource, write one file with a reader,
// a line below and a line in rights.ts.
import { defineProvider } from "../contract.ts";
import { checkRights } from "./check-rights.ts";
import { company } from "./company.ts";
import { employees } from "./employees.ts";
import { groups } from "./groups.ts";
import { logIn } from "./log-in.ts";
import { readIdentity } from "./read-identity.ts";
import { parseSession } from "./odoo-session.ts";
import { answerSecondFactor } from "./second-factor.ts";
import { signInForm, toAccount } from "./sign-in-form.ts";
import { workLocations } from "./work-locations.ts";

export const odoo = defineProvider({
  apiVersion: 1,
  name: "odoo",
  title: "Odoo",
  modes: {
    xhr: {
      form: signInForm,
      account: toAccount,
      // Odoo tells logins apart by the case of their letters, and people do not.
      accountOfSession: (session) => {
        const { database, uid } = parseSession(session);
        return [database, String(uid)];
      },
      login: logIn,
      resume: answerSecondFactor,
      check: checkRights,
      identity: readIdentity,
      resources: { company, employees, groups, "work-locations": workLocations },
    },
  },
});
