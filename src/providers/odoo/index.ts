// Odoo 14 to 19, hosted by Odoo or by the customer. Reads hr.employee and related models over
// Odoo's JSON-RPC, with the session of a person who signed in, or over the JSON-2 API of version 19
// with an API key. Leaves out what the server lacks or the account may not read. Version 19 is
// tested on a running server. Support for 14 to 18 follows the source of 14 and is not tested on a
// server. To add a resource, write one file with a reader, a line below and a line in rights.ts.
import { defineProvider } from "../contract.ts";
import { timeOffBalances } from "./balances.ts";
import { answerCompany, isCompanyState } from "./companies.ts";
import { employees } from "./employees.ts";
import { keyForm, signInForm, toAccount } from "./form.ts";
import { checkRights, readIdentity } from "./inspect.ts";
import { company, groups, workLocations } from "./organization.ts";
import { originForKeys, originForPasswords } from "./origin.ts";
import { payruns } from "./payruns.ts";
import { payslips } from "./payslips.ts";
import { keyRecipe, passwordRecipe } from "./recipes.ts";
import { answerSecondFactor } from "./second-factor.ts";
import { toAccountOfSession } from "./session.ts";
import { logIn, logInByKey, logOut } from "./sign-in.ts";
import { texts } from "./texts.ts";
import { timeOffEntries } from "./time-off.ts";
import { timesheets } from "./timesheets.ts";

const inspection = {
  accountOfSession: toAccountOfSession,
  check: checkRights,
  identity: readIdentity,
};
const resources = {
  company,
  employees,
  groups,
  "work-locations": workLocations,
  "time-off-entries": timeOffEntries,
  "time-off-balances": timeOffBalances,
  timesheets,
};

export const odoo = defineProvider({
  apiVersion: 1,
  name: "odoo",
  title: "Odoo",
  texts,
  guide: "/docs/providers/odoo",
  modes: {
    xhr: {
      ...inspection,
      form: signInForm,
      origin: originForPasswords,
      recipe: passwordRecipe,
      account: toAccount,
      login: logIn,
      resume: async (context, state, answer) =>
        isCompanyState(state)
          ? await answerCompany(state, answer)
          : await answerSecondFactor(context, state, answer),
      logOut,
      resources: { ...resources, payruns, payslips },
    },
    official: {
      ...inspection,
      keepsSecret: true,
      form: keyForm,
      origin: originForKeys,
      recipe: keyRecipe,
      login: logInByKey,
      resume: async (_context, state, answer) => await answerCompany(state, answer),
      resources,
    },
  },
});
