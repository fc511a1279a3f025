import { z } from "zod";
import type { FormValues } from "../../providers/index.ts";

/** Undefined when a field comes twice, which no page of ours sends. */
export function readFormValues(body: unknown): FormValues | undefined {
  return z.record(z.string(), z.string()).safeParse(body ?? {}).data;
}
