import { z } from "zod";
import type { Mode } from "./mode.ts";

export const apiVersion = "2023-03-01";

/** The scope values of the specification, word for word. */
export const scopes = [
  "/2023-03-01/official/company",
  "/2023-03-01/official/employee",
  "/2023-03-01/official/employees",
  "/2023-03-01/official/groups",
  "/2023-03-01/official/identity",
  "/2023-03-01/official/time-off-balances",
  "/2023-03-01/official/time-off-entries",
  "/2023-03-01/official/timesheets",
  "/2023-03-01/official/work-locations",
  "/2023-03-01/xhr/company",
  "/2023-03-01/xhr/employee",
  "/2023-03-01/xhr/employees",
  "/2023-03-01/xhr/groups",
  "/2023-03-01/xhr/identity",
  "/2023-03-01/xhr/payruns",
  "/2023-03-01/xhr/payruns/:payrun_id",
  "/2023-03-01/xhr/time-off-balances",
  "/2023-03-01/xhr/time-off-entries",
  "/2023-03-01/xhr/timesheets",
  "/2023-03-01/xhr/work-locations",
] as const;

export const scope = z.enum(scopes).meta({ id: "Scope" });
export type Scope = z.output<typeof scope>;

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

export function modeOfScope(value: Scope): Mode {
  return value.startsWith(`/${apiVersion}/official/`) ? "official" : "xhr";
}

export function scopesOfMode(mode: Mode): Scope[] {
  return scopes.filter((value) => modeOfScope(value) === mode);
}
