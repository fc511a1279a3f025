/** Every value of a record as JSON, with its path, such as `employments.0.pay_rate`. */
export function listLeaves(value: unknown, path = ""): [path: string, value: string][] {
  if (typeof value !== "object" || value === null)
    return [[path, JSON.stringify(value) ?? "undefined"]];
  const entries = Object.entries(value);
  if (entries.length === 0) return [[path, Array.isArray(value) ? "[]" : "{}"]];
  return entries.flatMap(([name, inner]) =>
    listLeaves(inner, path === "" ? name : `${path}.${name}`),
  );
}
