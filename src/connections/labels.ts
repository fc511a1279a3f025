import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import type { DataKey, Keyring } from "../platform/crypto/index.ts";
import type { Pool, Queryable } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import { letOthersRun } from "../platform/let-others-run.ts";
import { isKeyBound } from "./check-binding.ts";
import type { ObservedConnection } from "./connection.ts";
import { digestsOfReference, openLabel, storeLabel, type Label } from "./label.ts";
import {
  findLabels,
  findLabelToChange,
  saveLabel,
  type FoundLabel,
  type LabelSearch,
} from "./label-store.ts";
import { connectionKey } from "./sealed-sign-in.ts";

interface LabelDependencies {
  pool: Pool;
  keyring: Keyring;
  log: Log;
}

/** A label, and whose it is. */
interface OwnedLabel {
  connectionId: ConnectionId;
  tokenId: TokenId;
  label: Label;
}

/** So many are opened in about a millisecond. Then other requests have their turn. */
const openedTogether = 50;

/** What clients call their connections. */
export class Labels {
  readonly #dependencies: LabelDependencies;

  constructor(dependencies: LabelDependencies) {
    this.#dependencies = dependencies;
  }

  /** The fields that are given take the place of those of the sign-in. For the transaction of the exchange. */
  async change(
    tx: Queryable,
    { id, clientId }: Pick<ObservedConnection, "id" | "clientId">,
    given: Label,
  ): Promise<void> {
    const { keyring } = this.#dependencies;
    const found = await findLabelToChange(tx, id);
    if (!found) return;
    const dataKey = connectionKey.open(keyring, { connectionId: id }, found.wrappedKey);
    const before = found.sealedLabel && this.tryToOpen(dataKey, id, found.sealedLabel);
    const label = {
      reference: given.reference ?? before?.reference ?? null,
      metadata: given.metadata ?? before?.metadata ?? null,
    };
    await saveLabel(tx, { id, clientId }, storeLabel(keyring, { id, clientId, dataKey }, label));
  }

  async ofConnections(ids: readonly ConnectionId[]): Promise<Map<ConnectionId, Label>> {
    const found = await this.#find({ ids });
    return new Map(found.map(({ connectionId, label }) => [connectionId, label]));
  }

  /** Of all connections of the client, or of those of the tokens in the text of an array. */
  async ofClient(clientId: ClientId, tokenIds?: string): Promise<Map<TokenId, Label>> {
    const found = await this.#find({ clientId, tokenIds });
    return new Map(found.map(({ tokenId, label }) => [tokenId, label]));
  }

  async tokensOf(clientId: ClientId, reference: string): Promise<TokenId[]> {
    const digests = digestsOfReference(this.#dependencies.keyring, clientId, reference);
    const found = await this.#find({ clientId, digests });
    // A digest may have been copied from another row; a sealed value cannot be.
    return found.filter(({ label }) => label.reference === reference).map(({ tokenId }) => tokenId);
  }

  /** Undefined, and logged, for a label that somebody without the service's keys wrote. */
  tryToOpen(dataKey: DataKey, connectionId: ConnectionId, sealed: Buffer): Label | undefined {
    try {
      return openLabel(dataKey, connectionId, sealed);
    } catch (error) {
      this.#dependencies.log.error(
        { err: error, connectionId },
        "what a client calls a connection was changed in the database by somebody else; it is not shown",
      );
      return undefined;
    }
  }

  async #find(search: LabelSearch): Promise<OwnedLabel[]> {
    const found = await findLabels(this.#dependencies.pool, search);
    const opened: OwnedLabel[] = [];
    for (const [position, each] of found.entries()) {
      if (position % openedTogether === openedTogether - 1) await letOthersRun();
      const label = this.#openBound(each, search);
      const { connectionId, tokenId } = each.grant;
      if (label) opened.push({ connectionId, tokenId, label });
    }
    return opened;
  }

  #openBound({ grant, binding, wrappedKey, sealedLabel }: FoundLabel, search: LabelSearch) {
    const { connectionId, clientId } = grant;
    if ("clientId" in search && search.clientId !== clientId) return undefined;
    if (!isKeyBound(this.#dependencies, { grant, binding })) return undefined;
    const { keyring } = this.#dependencies;
    const dataKey = connectionKey.open(keyring, { connectionId }, wrappedKey);
    return this.tryToOpen(dataKey, connectionId, sealedLabel);
  }
}
