import type { EmploymentStatus } from "../../model/index.ts";
import type { Contract } from "./contracts.ts";

export interface EmploymentFacts {
  isArchived: boolean;
  departureDate: string | null;
  /** Only those with a start date. Null when the account may not read them. */
  contracts: readonly Contract[] | null;
  /** Whether an approved leave covers today. */
  isOnLeave: boolean;
}

/**
 * Null when it depends on contracts that the account may not read. The last day of a contract and the day
 * of a departure still count as worked.
 */
export function toEmploymentStatus(
  { isArchived, departureDate, contracts, isOnLeave }: EmploymentFacts,
  today: string,
): EmploymentStatus | null {
  if (isArchived || (departureDate !== null && departureDate < today)) return "inactive";
  if (contracts === null) return null;
  if (contracts.length > 0 && !contracts.some((contract) => covers(contract, today))) {
    return contracts.some((contract) => isAfter(contract, today)) ? "pending" : "inactive";
  }
  return isOnLeave ? "leave" : "active";
}

/**
 * The departure, else the end of the last contract. A future end is left out: the contract may be
 * extended.
 */
export function toTerminationDate(
  { departureDate, contracts }: EmploymentFacts,
  today: string,
): string | null {
  const ends = contracts?.map(({ end }) => end) ?? [];
  const lastEnd = ends.includes(null) ? null : (ends.toSorted(compareDays).at(-1) ?? null);
  return departureDate ?? (lastEnd !== null && lastEnd < today ? lastEnd : null);
}

export function toStartDate({ contracts }: EmploymentFacts): string | null {
  return contracts?.map(({ start }) => start).toSorted(compareDays)[0] ?? null;
}

/** YYYY-MM-DD sorts as text; null comes last. */
function compareDays(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return b === null || (a !== null && a < b) ? -1 : 1;
}

function covers(contract: Contract, day: string): boolean {
  return !isAfter(contract, day) && (contract.end === null || contract.end >= day);
}

function isAfter({ start }: Contract, day: string): boolean {
  return start !== null && start > day;
}
