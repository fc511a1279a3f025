import type { ClientId, ConnectionId, Resource, TokenId } from "../model/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import { isConnectionBound } from "./check-binding.ts";
import type { ConnectionSummary } from "./connection.ts";
import {
  countUpTo,
  findPage,
  findTokens,
  sampleIds,
  type FoundInPage,
  type Narrowing,
} from "./listing-store.ts";

/** Which connections are listed. */
export interface Selection extends Narrowing {
  /** The token of the last one of the page before. */
  before?: TokenId | undefined;
  limit: number;
}

/** A connection as a list of many shows it. */
export interface ListedConnection extends ConnectionSummary {
  createdAt: Date;
  /** Null also where an earlier version did not write it down. */
  authFailedAt: Date | null;
  /** Since when the rights for a resource are what they are. */
  rightsSince: Partial<Record<Resource, Date>>;
}

/** Lists of connections, newest first, a page at a time. Each page is found by an index. */
export class Listing {
  readonly #dependencies: { pool: Pool; keyring: Keyring; log: Log };

  constructor(dependencies: { pool: Pool; keyring: Keyring; log: Log }) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens no sealed value. One that somebody else wrote is left out. `next` is where the page behind this one begins, if
   * there is one.
   */
  async page({
    limit,
    ...selection
  }: Selection): Promise<{ listed: ListedConnection[]; next: TokenId | undefined }> {
    const found = await findPage(this.#dependencies.pool, { ...selection, limit: limit + 1 });
    const rows = found.slice(0, limit);
    const next = found.length > limit ? rows.at(-1)?.tokenId : undefined;
    return { listed: this.#toListed(rows), next };
  }

  /** Those of the tokens that have a connection. */
  async ofTokens(tokenIds: readonly TokenId[]): Promise<ListedConnection[]> {
    const limit = tokenIds.length;
    return limit === 0
      ? []
      : this.#toListed(await findPage(this.#dependencies.pool, { tokenIds, limit }));
  }

  #toListed(found: readonly FoundInPage[]): ListedConnection[] {
    return found
      .filter((connection) => isConnectionBound(this.#dependencies, connection))
      .map(({ binding: _binding, rights, ...connection }) => ({
        ...connection,
        rightsSince: Object.fromEntries(
          Object.entries(rights).map(([resource, { checkedAt }]) => [
            resource,
            new Date(checkedAt),
          ]),
        ),
      }));
  }

  /** How many there are, as far as so many. */
  async count(narrowing: Narrowing, most: number): Promise<number> {
    return await countUpTo(this.#dependencies.pool, narrowing, most);
  }

  /** Tokens of a client's connections, so many at most. Proves nothing of them. */
  async tokensOf(clientId: ClientId, limit: number): Promise<TokenId[]> {
    return await findTokens(this.#dependencies.pool, clientId, limit);
  }

  /** All of few connections; of many the newest of a client, or some of all clients. Their order says nothing. */
  async sample(clientId: ClientId | undefined): Promise<ConnectionId[]> {
    return await sampleIds(this.#dependencies.pool, clientId);
  }
}
