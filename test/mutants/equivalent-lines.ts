import type { LineMutant } from "./table-lines.ts";

/** A line of a table without which, or with another name of which, nothing that anybody can see is another. */
export interface EquivalentLine extends Pick<LineMutant, "path" | "kind" | "line"> {
  why: string;
}

export const equivalentLines: readonly EquivalentLine[] = [];
