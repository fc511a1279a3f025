import type { Resource } from "../../model/index.ts";

/** `offline_access` gives a refresh token, `public.user` the list of changes, `employee` the person who signed in. */
const always = ["openid", "offline_access", "public.user", "employee", "company:info", "field"];

const ofPeople = [
  "employee:name",
  "employee:job",
  "employee:contact",
  "employee:demographic",
  "employee:compensation",
  "employee:identification",
  "employee:custom_fields",
  "employee:emergency_contacts",
  "employee:dependent",
  "sensitive_employee:protected_info",
  "sensitive_employee:address",
  "report",
];

const scopes: Partial<Record<Resource, readonly string[]>> = {
  employees: ofPeople,
  "time-off-entries": ["time_off"],
  "time-off-balances": ["time_off"],
  timesheets: ["time_tracking"],
};

export function scopesOf(resources: readonly Resource[]): readonly string[] {
  const needed = resources.flatMap((resource) => scopes[resource] ?? []);
  return [...new Set([...always, ...needed])];
}
