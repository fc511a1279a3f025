import { validOn, type DatedRow } from "./periods.ts";

/** What each of several histories says from a day on: null of one that says nothing of it. */
export type JoinedRows<Rows extends object> = { readonly day: string } & {
  readonly [Name in keyof Rows]: Rows[Name] extends readonly (infer Row)[] ? Row | null : never;
};

/** One from each day on which one of the histories has something new. Empty when none has. */
export function joinRows<Rows extends Readonly<Record<string, readonly DatedRow[]>>>(
  histories: Rows,
): JoinedRows<Rows>[] {
  const starts = Object.values(histories)
    .flat()
    .flatMap(({ start_date: start }) => (start === null ? [] : [start]));
  return [...new Set(starts)].toSorted().map((day) => {
    const valid = Object.entries(histories).map(([name, rows]) => [name, validOn(rows, day)]);
    return { day, ...(Object.fromEntries(valid) as object) } as JoinedRows<Rows>;
  });
}
