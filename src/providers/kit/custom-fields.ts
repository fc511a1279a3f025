/** One field that the company has added. */
export interface AddedField {
  label: string | null;
  /** Tells it from others with the same label. */
  key: string;
  value: unknown;
}

/** By their labels. A label that two fields have, or we, is followed by the field's own key. */
export function byLabels(
  fields: readonly AddedField[],
  ourNames: ReadonlySet<string>,
): Record<string, unknown> {
  const labels = Map.groupBy(fields, ({ label, key }) => label ?? key);
  return Object.fromEntries(
    [...labels].flatMap(([label, ofLabel]) =>
      ofLabel.map(({ key, value }) => [
        ofLabel.length > 1 || ourNames.has(label) ? `${label} (${key})` : label,
        value,
      ]),
    ),
  );
}
