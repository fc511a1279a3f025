// BambooHR, with a personal key (`xhr`) or by OAuth2 (`official`). People come from its list of employees and its
// dataset, their jobs from three tables that are joined by date, balances by one request for each person. It has no
// pay runs. What the account may not read is told and never looks deleted. To add a resource, write one file with a
// reader, a line below and, where its right can be missing, a probe in sign-in.ts.
import type { Resource } from "../../model/index.ts";
import { defineProvider, type ProviderMode } from "../contract.ts";
import { api } from "./client.ts";
import { company } from "./company.ts";
import { createEmployeeReader } from "./employees.ts";
import { groups, workLocations } from "./lists.ts";
import { approvalRecipe, keyRecipe } from "./recipes.ts";
import {
  approval,
  approvalForm,
  checkRights,
  keySignIn,
  logInByApproval,
  readIdentity,
  typedDomain,
} from "./sign-in.ts";
import { texts } from "./texts.ts";
import { timeOffBalances, timeOffEntries } from "./time-off.ts";
import { timesheets } from "./timesheets.ts";

const shared = {
  company,
  groups,
  timesheets,
  "time-off-entries": timeOffEntries,
  "time-off-balances": timeOffBalances,
  "work-locations": workLocations,
} satisfies Partial<Record<Resource, unknown>>;

const withKey: ProviderMode = {
  ...keySignIn,
  origin: typedDomain.origin,
  recipe: keyRecipe,
  account: typedDomain.account,
  check: checkRights,
  identity: readIdentity,
  resources: { ...shared, employees: createEmployeeReader({ isPagedByOffset: true }) },
};

const withApproval: ProviderMode = {
  form: approvalForm,
  ...approval.mode,
  login: logInByApproval,
  accountOfSession: (session) => {
    const known = api.parse(session);
    return "account" in known ? known.account : [];
  },
  recipe: approvalRecipe,
  check: checkRights,
  identity: readIdentity,
  resources: { ...shared, employees: createEmployeeReader({ isPagedByOffset: false }) },
};

export const bamboohr = defineProvider({
  apiVersion: 1,
  name: "bamboohr",
  title: "BambooHR",
  guide: "/docs/providers/bamboohr",
  modes: { xhr: withKey, official: withApproval },
  // BambooHR publishes no limit; it answers 429 and says how long to wait.
  limits: { quotas: { company: { atOnce: 4 } } },
  texts,
});
