/** Whether it is an object with names and values: no list, and not null. */
export function isRecord<Value>(value: Value): value is Value & Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
