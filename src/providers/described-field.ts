/** Where a field of our records comes from, for people and for checks. It is data. */
export interface DescribedField {
  /**
   * Of our record, such as `start_date`. What is inside of a part stands behind a point, what is inside of each item of a
   * list behind `[].`.
   */
  field: string;
  /** The vendor's names. Inside of an item of a list, those of the item. Empty for what the adapter knows by itself. */
  from: readonly string[];
  /** How a value is read, in a few words. */
  read: string;
  /** When it is null: without what it comes from, without all of it where the first counts, or by a rule. */
  isNull: "never" | "always" | "without it" | "without all of them" | "by a rule";
  /** What the rest does not say. */
  note?: string;
}

/** A table of fields, such as of the kit. */
export interface DescribedTable {
  readonly described: readonly DescribedField[];
}
