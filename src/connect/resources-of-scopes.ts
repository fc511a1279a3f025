import { modeOfScope, type Mode, type Resource, type Scope } from "../model/index.ts";

const resourcesByPath: Readonly<Record<string, Resource>> = {
  company: "company",
  employee: "employees",
  employees: "employees",
  groups: "groups",
  payruns: "payruns",
  "payruns/:payrun_id": "payslips",
  timesheets: "timesheets",
  "time-off-entries": "time-off-entries",
  "time-off-balances": "time-off-balances",
  "work-locations": "work-locations",
};

/** What the scopes allow to be fetched. Identity needs no fetch. */
export function resourcesOfScopes(scopes: readonly Scope[]): Resource[] {
  const found = scopes.map((scope) => resourcesByPath[scope.split("/").slice(3).join("/")]);
  return [...new Set(found.filter((resource) => resource !== undefined))];
}

/** The one mode that all scopes are of; undefined when they are of several, or none. */
export function modeOfScopes(scopes: readonly Scope[]): Mode | undefined {
  const [mode, ...others] = new Set(scopes.map(modeOfScope));
  return others.length === 0 ? mode : undefined;
}
