/** An entry as it is stored, with what proves it. */
export interface SignedEntry {
  id: string;
  /** Since 1970. */
  atMicros: string;
  action: string;
  clientId: string | null;
  tokenId: string | null;
  connectionId: string | null;
  detail: unknown;
  nonce: Buffer | null;
  mac: Buffer | null;
}

/** What the MAC of an entry covers. `contentSql` makes the same. */
export function formatContent(entry: Omit<SignedEntry, "nonce" | "mac">): string {
  const ids = [entry.clientId, entry.tokenId, entry.connectionId];
  return [
    entry.id,
    entry.atMicros,
    entry.action,
    ...ids.map((id) => (id === null ? "-" : `+${id}`)),
    formatDetail(entry.detail),
  ].join("\n");
}

export const microsSql = "(extract(epoch from at) * 1000000)::bigint";

/** Of the columns id, at, action, client_id, token_id, connection_id and detail. */
export const contentSql = `concat_ws(E'\\n', id, ${microsSql}, action, coalesce('+' || client_id, '-'),
  coalesce('+' || token_id, '-'), coalesce('+' || connection_id, '-'), detail)`;

/** JSON whose properties are in order: the database keeps no order. */
export function formatDetail(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
