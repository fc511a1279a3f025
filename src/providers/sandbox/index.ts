// A simulated HR and payroll system for trials and tests. It uses no network. All its data follows
// from the user name, the simulated hour and the day; scenarios.ts says what each user name does.
// Called by the registry; the operator's commands and tests call the two controls.
import { z } from "zod";
import { resourcesOfScopes, scopesOfMode, type Mode, type Resource } from "../../model/index.ts";
import { defineProvider, type ProviderMode, type ResourceReader } from "../contract.ts";
import { formField } from "../form-field.ts";
import { listEmployees } from "./employee-record.ts";
import { listGroups } from "./groups.ts";
import { listCompanies, listWorkLocations } from "./organisation.ts";
import { findRun, listPayruns, toRun } from "./payruns.ts";
import { listPayslips } from "./payslips.ts";
import { sandboxReader } from "./sandbox-reader.ts";
import { signIn } from "./sign-in.ts";
import { texts } from "./texts.ts";
import { listTimeOffBalances, listTimeOffEntries } from "./time-off.ts";
import { listTimesheets } from "./timesheets.ts";

export {
  advanceSandbox,
  failSandbox,
  limitableFields,
  readSession as readSandboxSession,
  setSandboxRecords,
  setSandboxRights,
  settableLists,
} from "./session.ts";
export { scenarios as sandboxScenarios } from "./scenarios.ts";
export { answerSandbox, rightsOf as rightsOfSandbox } from "./sign-in.ts";

const username = formField({
  title: "User name",
  placeholder: "user_good",
  help:
    "The name selects what happens: user_good works, user_mfa asks for a code (123456), " +
    "user_bad_password is refused.",
  autocomplete: "username",
});

const readers: { readonly [R in Resource]: ResourceReader<R> } = {
  company: sandboxReader("company", listCompanies),
  employees: sandboxReader("employees", listEmployees),
  groups: sandboxReader("groups", listGroups),
  timesheets: sandboxReader("timesheets", (company, { range }) => listTimesheets(company, range)),
  "time-off-entries": sandboxReader("time-off-entries", (company, { range }) =>
    listTimeOffEntries(company, range),
  ),
  "time-off-balances": sandboxReader("time-off-balances", listTimeOffBalances),
  "work-locations": sandboxReader("work-locations", listWorkLocations),
  payruns: sandboxReader("payruns", ({ today }, { range }) => listPayruns(today, range)),
  payslips: sandboxReader("payslips", (company, { payrunRemoteId }, { payruns }) => {
    const run = payruns
      ? toRun(payruns.find(({ remote_id: id }) => id === payrunRemoteId))
      : findRun(payrunRemoteId, company.today);
    return run ? listPayslips(company, run) : [];
  }),
};

/** The sandbox has every resource that the specification offers in a mode. */
function readersOfMode(mode: Mode): ProviderMode["resources"] {
  const offered = resourcesOfScopes(scopesOfMode(mode));
  return Object.fromEntries(offered.map((resource) => [resource, readers[resource]]));
}

export const sandbox = defineProvider({
  apiVersion: 1,
  name: "sandbox",
  title: "Sandbox",
  texts,
  isSimulated: true,
  modes: {
    xhr: {
      ...signIn,
      form: z.object({
        username,
        password: formField({
          title: "Password",
          isSecret: true,
          help: "Any password works.",
          autocomplete: "current-password",
        }),
      }),
      resources: readersOfMode("xhr"),
    },
    official: {
      ...signIn,
      form: z.object({
        username,
        api_key: formField({
          title: "API key",
          isSecret: true,
          help: "Any key works.",
          autocomplete: "off",
        }),
      }),
      resources: readersOfMode("official"),
    },
  },
  // No real system is called.
  limits: { concurrency: 200 },
});
