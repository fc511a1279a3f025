const mostDepth = 32;
/** A cookie jar as the host's client exports it: of a cookie, its value is secret. */
const exportedBy = /^tough-cookie@/;

/**
 * The texts of a session: all but those that anybody may see, such as the address of the provider. A text that is JSON
 * itself counts as what it says.
 */
export function* listLeaves(value: unknown, depth = 0): Generator<string> {
  if (depth > mostDepth) return;
  if (typeof value === "string") {
    const parsed = parseJson(value);
    if (parsed !== undefined) yield* listLeaves(parsed, depth + 1);
    if (parsed === undefined && !isPublic(value)) yield value;
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const cookies = readJar(value);
  for (const inner of cookies ?? Object.values(value)) yield* listLeaves(inner, depth + 1);
}

function parseJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function readJar(value: object): unknown[] | undefined {
  const { version, cookies } = value as { version?: unknown; cookies?: unknown };
  if (typeof version !== "string" || !exportedBy.test(version)) return undefined;
  return Array.isArray(cookies)
    ? cookies.map((cookie) => (cookie as { value?: unknown } | null)?.value)
    : undefined;
}

/** An origin, or a time. */
function isPublic(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,18}(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) ||
    URL.parse(text)?.origin === text.replace(/\/$/, "")
  );
}
