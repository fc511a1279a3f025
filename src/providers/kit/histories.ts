import { addDays } from "./days.ts";
import { validOn, type DatedRow } from "./periods.ts";

/** What each of several histories says from a day on: null of one that says nothing of it. */
export type JoinedRows<Rows extends object> = { readonly day: string } & {
  readonly [Name in keyof Rows]: Rows[Name] extends readonly (infer Row)[] ? Row | null : never;
};

/**
 * One from each day on which one of the histories has something new. Empty when none has. A row that ends before another
 * one of its history, such as pay for some months, uncovers that one, or nothing: that is new, too, as long as any of
 * the histories says something on that day.
 */
export function joinRows<Rows extends Readonly<Record<string, readonly DatedRow[]>>>(
  histories: Rows,
): JoinedRows<Rows>[] {
  const rows = Object.values(histories).flat();
  const starts = new Set(rows.flatMap(({ start_date: start }) => start ?? []));
  const uncovered = rows.flatMap(({ end_date: end }) => (end === null ? [] : [addDays(end, 1)]));
  let before: readonly (DatedRow | null)[] = [];
  return [...new Set([...starts, ...uncovered])].toSorted().flatMap((day) => {
    const valid = Object.entries(histories).map(([name, of]) => [name, validOn(of, day)] as const);
    const told = valid.map(([, row]) => row);
    const isNew = told.some((row) => row !== null) && told.some((row, at) => row !== before[at]);
    if (!starts.has(day) && !isNew) return [];
    before = told;
    return [{ day, ...(Object.fromEntries(valid) as object) } as JoinedRows<Rows>];
  });
}
