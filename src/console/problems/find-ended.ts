import type { Connections } from "../../connections/index.ts";
import type { ClientId } from "../../model/index.ts";
import type { Pool } from "../../platform/db/index.ts";
import { findEnded, type EndedCursor } from "./problem-store.ts";
import { describeProblem, type Problem } from "./problem.ts";

/** A problem of the last 30 days that has ended. */
export interface EndedProblem extends Problem {
  endedAt: Date;
}

export interface EndedPage {
  problems: EndedProblem[];
  /** Undefined on the last page. */
  next: EndedCursor | undefined;
}

/**
 * What was wrong, the newest end first: of a client, or of all with what is the operator's own. What is written of a
 * connection that belongs to another client is left out. Of a connection that is gone the row alone tells.
 */
export async function findEndedProblems(
  { pool, connections }: { pool: Pool; connections: Connections },
  clientId: ClientId | undefined,
  { after, limit }: { after?: EndedCursor | undefined; limit: number },
): Promise<EndedPage> {
  const found = await findEnded(pool, clientId, { after, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const tokenIds = [...new Set(rows.flatMap(({ tokenId }) => tokenId ?? []))];
  const live = await connections.listing.ofTokens(tokenIds);
  const labels = await connections.labels.ofConnections(live.map(({ id }) => id));
  const byToken = new Map(live.map((connection) => [connection.tokenId, connection]));
  const problems = rows.flatMap(({ id: _id, ...row }) => {
    const connection = row.tokenId === null ? undefined : byToken.get(row.tokenId);
    if (connection && connection.clientId !== row.clientId) return [];
    const reference = (connection && labels.get(connection.id)?.reference) ?? null;
    return [{ ...describeProblem({ ...row, reference }), endedAt: row.endedAt }];
  });
  const last = rows.at(-1);
  const next = found.length > limit && last ? { at: last.endedAt, id: last.id } : undefined;
  return { problems, next };
}
