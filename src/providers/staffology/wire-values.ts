import { z } from "zod";

// A field that is absent or of another type is null: Staffology leaves out what is empty.
export const text = z.string().trim().min(1).nullable().catch(null);
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

export const record = z.looseObject({});

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
