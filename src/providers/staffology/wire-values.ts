import { z } from "zod";
import { toMinorUnits } from "../kit/money.ts";

// A field that is absent or of another type is null: Staffology leaves out what is empty.
export const text = z.string().trim().min(1).nullable().catch(null);
export const number = z.number().nullable().catch(null);
export const flag = z.boolean().catch(false);
/** Staffology leaves an empty list out. What is no list is a fault: it must not look as if nothing were there. */
export const list = z
  .array(z.unknown())
  .nullish()
  .transform((items) => items ?? []);

/** A number that is counted from 1 on, and asked for one by one. */
export function countUpTo(most: number) {
  return z
    .int()
    .max(most)
    .nullish()
    .transform((count) => Math.max(1, count ?? 1));
}

/** YYYY-MM-DD. The times of Staffology mean no time zone. */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/)
  .transform((value) => value.slice(0, 10))
  .nullable()
  .catch(null);

/** Pounds as pence. A total of 0 is left out; an amount that is no number breaks Staffology's contract. */
export const pence = z
  .number()
  .nullish()
  .transform((pounds) => toMinorUnits(pounds ?? 0, "gbp"));

export function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).nullable().catch(null);
}

/** What a list gives in place of each whole record. */
export const stub = z.object({ id: z.string().min(1), name: text, url: text });
export type Stub = z.output<typeof stub>;

/** The last part of the path of a stub's address. The address is never followed: its host can be any. */
export function lastPart(url: string | null): string {
  const path = URL.parse(url ?? "", "https://api.staffology.co.uk")?.pathname ?? "";
  const part = path.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
