import type { Audit } from "../audit/index.ts";
import type { ClientId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import { bindClient } from "./bind-client.ts";
import type { ClientObserver } from "./client-observer.ts";
import type { Client } from "./client.ts";
import { emptyClient, endClient } from "./end-client.ts";
import { refuseClient } from "./refuse-client.ts";
import * as store from "./store.ts";

interface EndsDependencies {
  pool: Pool;
  keyring: Keyring;
  clock: Clock;
  audit: Audit;
  log: Log;
  observers: readonly ClientObserver[];
  /** Undefined for a row that somebody else wrote. */
  check: (found: store.FoundClient) => Client | undefined;
}

/** A client is ended at once, and emptied when nothing of it is left. Nothing brings it back. */
export class ClientEnds {
  readonly #dependencies: EndsDependencies;

  constructor(dependencies: EndsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Once this has committed, nothing of the client is let in. A worker ends its connections. A second call changes
   * nothing, unless somebody else has written the row since: it is ended again then. Undefined when there is no such
   * client.
   */
  async begin(clientId: ClientId): Promise<Client | undefined> {
    const { pool, observers } = this.#dependencies;
    return await transaction(pool, async (tx) => {
      const ended = await this.#beginIn(tx, clientId);
      if (!ended) return undefined;
      for (const observer of observers) tx.afterCommit(() => observer.afterEnded?.(ended));
      return ended;
    });
  }

  async #beginIn(tx: Transaction, clientId: ClientId): Promise<Client | undefined> {
    const { audit, check, clock, log, observers } = this.#dependencies;
    const found = await store.findClient(tx, clientId);
    if (!found) return undefined;
    const { rowMac: _mac, ...read } = found;
    const known = check(found);
    if (known?.endedAt) return known;
    const ended = endClient(known ?? { ...read, isBound: false }, clock.now());
    // Somebody changed the client meanwhile, or ended it.
    if (!(await this.#store(tx, ended))) return await this.#beginIn(tx, clientId);
    await store.replaceLogo(tx, clientId, null);
    await audit.record(tx, "client.ended", { clientId });
    tx.afterCommit(() => log.info({ clientId }, "a client was ended"));
    for (const observer of observers) await observer.onEnded?.(tx, ended);
    return ended;
  }

  /** The clients that have ended and are not emptied. One whose row somebody else wrote is left out. */
  async listUnfinished(): Promise<Client[]> {
    const { pool, check } = this.#dependencies;
    return (await store.findEndingClients(pool)).flatMap((each) => check(each) ?? []);
  }

  /** Nothing is left to do for the client: its secrets and its address go. Once, however many call it. */
  async finish(client: Client): Promise<void> {
    const { pool, audit, clock, observers } = this.#dependencies;
    const { clientId } = client;
    const emptied = emptyClient(client, clock.now());
    await transaction(pool, async (tx) => {
      if (!(await this.#store(tx, emptied))) return;
      await store.replaceSecrets(tx, clientId, []);
      await audit.record(tx, "client.emptied", { clientId });
      for (const observer of observers) await observer.onEnded?.(tx, emptied);
    });
  }

  /** Locks the client against its end until the transaction is over; false when it has ended. */
  async lockAgainst(tx: Transaction, clientId: ClientId): Promise<boolean> {
    return await store.lockAgainstEnd(tx, clientId);
  }

  /** The same; one that has ended is refused as an unknown client is. */
  async requireLiving(tx: Transaction, clientId: ClientId): Promise<void> {
    if (!(await this.lockAgainst(tx, clientId))) throw refuseClient();
  }

  /** False when somebody else changed the client since the revision before this one was read. */
  async #store(tx: Transaction, client: Client): Promise<boolean> {
    const { clock, keyring } = this.#dependencies;
    const rowMac = bindClient(keyring, client);
    return await store.updateClientRow(tx, { ...client, rowMac }, clock.now());
  }
}
