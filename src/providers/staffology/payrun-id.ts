import { z } from "zod";
import { ProviderBug } from "../errors.ts";

/** What names a pay run at Staffology. Of `reversal`, what takes it back while it is rolled back. */
export interface PayrunName {
  employerId: string;
  taxYear: string;
  payPeriod: string;
  /** Which of the schedules with this period, from 1 on. */
  ordinal: number;
  period: number;
  /** From 2 on a supplementary run. */
  version: number;
  isReversal: boolean;
}

const word = z.string().regex(/^[A-Za-z0-9-]+$/);
const count = z.coerce.number().int().positive();
const parts = z.tuple([word, word, word, count, count, count]).rest(z.literal("reversal"));

export function formatPayrunId(name: PayrunName): string {
  const { employerId, taxYear, payPeriod, ordinal, period, version, isReversal } = name;
  const own = [employerId, taxYear, payPeriod, ordinal, period, version];
  return [...own, ...(isReversal ? ["reversal"] : [])].join("/");
}

/** Throws ProviderBug for what is no pay run of this employer. */
export function parsePayrunId(id: string, employer: string): PayrunName {
  const { data } = parts.safeParse(id.split("/"));
  if (!data) throw new ProviderBug("the pay run does not have the name that this adapter gives");
  const [employerId, taxYear, payPeriod, ordinal, period, version, reversal] = data;
  if (employerId !== employer) throw new ProviderBug("the pay run is of another employer");
  const isReversal = reversal !== undefined;
  return { employerId, taxYear, payPeriod, ordinal, period, version, isReversal };
}

/** A rolled back run is taken back by a reversal of its own. A supplementary run mends an earlier one. */
export function toPayrunType({ version, isReversal }: PayrunName) {
  if (isReversal) return "reversal";
  return version > 1 ? "correction" : "regular";
}

export function payrunPath({ employerId, taxYear, payPeriod, period }: PayrunName): string {
  return `/employers/${employerId}/payrun/${taxYear}/${payPeriod}/${period}`;
}
