/** A row of a history, in days as YYYY-MM-DD. Its end is the last day; without one it goes on. */
export interface DatedRow {
  readonly start_date: string | null;
  readonly end_date: string | null;
}

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

/** Of those that hold on a day the one that began last: rows may overlap, and come in any order. */
export function validOn<Of extends DatedRow>(rows: readonly Of[], at: string): Of | null {
  const valid = rows.filter(
    ({ start_date: start, end_date: end }) =>
      start !== null && start <= at && (end === null || end >= at),
  );
  return (
    valid.toSorted((a, b) => ((a.start_date ?? "") < (b.start_date ?? "") ? 1 : -1))[0] ?? null
  );
}
