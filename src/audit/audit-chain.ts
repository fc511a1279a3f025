import type { Clock } from "../platform/clock.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { AuditKey, Checkpoint } from "./audit-key.ts";
import type { Audit } from "./audit.ts";
import type { SignedEntry } from "./entry-content.ts";
import { findEntryBack, findHead, findLength, findLinks, findUnlinked } from "./store.ts";
import { insertLinks, lockHead, updateHead, type Head, type Link } from "./store.ts";

interface ChainDependencies {
  pool: Pool;
  clock: Clock;
  log: Log;
  audit: Audit;
}

interface Programs {
  /** Whether none of an earlier version can write entries without a MAC any more. */
  areGone(): Promise<boolean>;
}

const mostAtOnce = 1_000;
/**
 * Entries are committed in another order than that of their ids. Every run looks back so far, and once a minute a run
 * looks back further, for those whose transaction was long.
 */
const usualLookBack = 2_000;
const longLookBack = 100_000;
const longEveryMs = 60_000;

/** Links the entries of the record into a chain. Any number of processes may do so: one at a time does. */
export class AuditChain {
  readonly #dependencies: ChainDependencies;
  readonly #olderPrograms: Programs;
  /** The end of the chain as this process last saw it. Only somebody who cuts or restores the record moves it back. */
  #lastSeen: Pick<Link, "position" | "chain"> | undefined;
  #lookedFarAtMs = -Infinity;

  constructor(dependencies: ChainDependencies, olderPrograms: Programs) {
    this.#dependencies = dependencies;
    this.#olderPrograms = olderPrograms;
  }

  /** Nobody waits for it, and it waits for nobody: what is committed later is linked by the next run. */
  async link(signal?: AbortSignal): Promise<void> {
    const { pool } = this.#dependencies;
    const isFar = performance.now() - this.#lookedFarAtMs > longEveryMs;
    let after = await findEntryBack(pool, isFar ? longLookBack : usualLookBack);
    for (;;) {
      const [first] = await findUnlinked(pool, { after, limit: 1 });
      const linked = first && (await this.#linkBatch(after));
      if (!linked || isAborted(signal)) break;
      after = linked;
    }
    if (isFar) await this.#requireMacs();
    if (isFar) this.#lookedFarAtMs = performance.now();
  }

  /** Seconds since the oldest entry was written that is not linked. */
  async unlinkedAge(): Promise<number> {
    const { pool, clock } = this.#dependencies;
    const after = await findEntryBack(pool, usualLookBack);
    const [oldest] = await findUnlinked(pool, { after, limit: 1 });
    return oldest ? Math.max(0, clock.now().getTime() / 1_000 - Number(oldest.atMicros) / 1e6) : 0;
  }

  /** How many entries are linked. Proves nothing of them. */
  async length(): Promise<number> {
    return await findLength(this.#dependencies.pool);
  }

  /**
   * The end of the chain, in a form that proves itself. Undefined before the first link, and when somebody else wrote
   * what is there of it.
   */
  async makeCheckpoint(): Promise<Checkpoint | undefined> {
    const { pool, clock, audit } = this.#dependencies;
    const head = await findHead(pool);
    if (!head || head.position === 0 || !audit.key.isHead(head)) return undefined;
    return audit.key.makeCheckpoint(head, clock.now());
  }

  /** Whoever keeps the logs keeps these. */
  async logCheckpoint(): Promise<void> {
    const checkpoint = await this.makeCheckpoint();
    if (checkpoint)
      this.#dependencies.log.info(
        { checkpoint },
        "a checkpoint of the audit record; keep it apart from the database",
      );
  }

  /**
   * Records that the database was restored. The positions up to that of the latest checkpoint are known to be lost, so
   * `verifyRecord` no longer misses them.
   */
  async recordRestored(
    tx: Transaction,
    checkpoints: readonly Checkpoint[],
    ended: Readonly<Record<string, number>>,
  ): Promise<{ from: number; until?: number }> {
    const { audit } = this.#dependencies;
    const until = Math.max(0, ...checkpoints.map(({ position }) => position));
    const head = await findHead(tx);
    if (head && !audit.key.isHead(head)) throw new ChangedEnd();
    const from = head?.position ?? 0;
    const lost = { from, ...(until > from && { until }) };
    await audit.record(tx, "database.restored", { detail: { ...lost, ...ended } });
    return lost;
  }

  /** The id of the last entry that was linked; undefined when there was none, or another process links. */
  async #linkBatch(after: string): Promise<string | undefined> {
    const { pool, clock, audit } = this.#dependencies;
    const linked = await transaction(pool, async (tx) => {
      const head = await lockHead(tx);
      if (!head) return undefined;
      if (!audit.key.isHead(head)) throw new ChangedEnd();
      await this.#refuseMovedBack(head);
      const entries = await findUnlinked(tx, { after, limit: mostAtOnce });
      const links = linkEntries(audit.key, head, entries);
      const last = links.at(-1);
      if (!last) return undefined;
      await insertLinks(tx, links);
      const { position, chain } = last;
      const moved = { position, chain, linkedAt: clock.now(), signedFrom: head.signedFrom };
      await updateHead(tx, { ...moved, mac: audit.key.signHead(moved) });
      return { entries, last, signedFrom: head.signedFrom };
    });
    if (!linked) return undefined;
    this.#lastSeen = linked.last;
    if (linked.signedFrom !== null) this.#tellUnsigned(linked.entries);
    return linked.last.entryId;
  }

  async #refuseMovedBack(head: Head): Promise<void> {
    const seen = this.#lastSeen;
    if (!seen) return;
    const [link] = await findLinks(this.#dependencies.pool, [seen.position]);
    if (head.position < seen.position || !link?.chain.equals(seen.chain))
      throw new Error(
        `the chain of the audit record ends at position ${head.position}, and this process has seen it reach ` +
          `${seen.position}; entries stay without links until the process starts again`,
      );
  }

  #tellUnsigned(entries: readonly SignedEntry[]): void {
    const { audit, log } = this.#dependencies;
    for (const entry of entries)
      if (!audit.key.isSigned(entry))
        log.error(
          { entry: entry.id },
          "an audit entry has no valid MAC: this service has not written it; see rollcall audit verify",
        );
  }

  /** When no program of an earlier version can write any more, an entry without a MAC is not one of ours. */
  async #requireMacs(): Promise<void> {
    const { pool, audit } = this.#dependencies;
    const known = await findHead(pool);
    if (known?.signedFrom !== null || !(await this.#olderPrograms.areGone())) return;
    await transaction(pool, async (tx) => {
      const head = await lockHead(tx);
      if (!head || head.signedFrom !== null || !audit.key.isHead(head)) return;
      const moved = { ...head, signedFrom: head.position + 1 };
      await updateHead(tx, { ...moved, mac: audit.key.signHead(moved) });
    });
  }
}

class ChangedEnd extends Error {
  override readonly message =
    "the end of the chain in the table audit_head was changed by somebody else; entries stay without links until it " +
    "is restored from a backup";
}

function linkEntries(key: AuditKey, head: Head, entries: readonly SignedEntry[]): Link[] {
  let { position, chain } = head;
  return entries.map((entry) => {
    position += 1;
    chain = key.link(chain, position, entry);
    return { position, entryId: entry.id, chain };
  });
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
