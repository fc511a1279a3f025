import {
  allowLongStatements,
  transaction,
  type Pool,
  type Queryable,
} from "../platform/db/index.ts";
import type { AuditKey, Checkpoint } from "./audit-key.ts";
import type { SignedEntry } from "./entry-content.ts";
import { findHead, findLinks, findRepeatedNonces, findUnlinked, listLinked } from "./store.ts";
import type { Head, Link, LinkedEntry } from "./store.ts";

interface Finding {
  kind:
    | "changed-entry"
    | "changed-link"
    | "deleted-entry"
    | "foreign-entry"
    | "repeated-entry"
    | "gap"
    | "end"
    | "checkpoint";
  message: string;
}

interface Verification {
  /** The first ones. */
  findings: readonly Finding[];
  findingsInAll: number;
  linked: number;
  /** Linked entries of an earlier version of the program, which made no MACs. */
  withoutMac: number;
  unlinked: number;
  unlinkedSince: Date | undefined;
  /** Checkpoints that a restore was recorded behind. */
  restoredBehind: number;
  checkpoints: number;
}

interface Restore {
  from: number;
  until: number;
}

const batch = 5_000;
const mostFindings = 1_000;

/** Reads all entries and links, as they are at one moment. */
export async function verifyRecord(
  { pool, key }: { pool: Pool; key: AuditKey },
  checkpoints: readonly Checkpoint[],
): Promise<Verification> {
  return await transaction(pool, async (transacted) => {
    await transacted.query("set transaction isolation level repeatable read, read only");
    const tx = await allowLongStatements(transacted);
    return await new RecordCheck(tx, key).run(checkpoints);
  });
}

class RecordCheck {
  readonly #tx: Queryable;
  readonly #key: AuditKey;
  readonly #findings: Finding[] = [];
  readonly #restores: Restore[] = [];
  #findingsInAll = 0;
  #withoutMac = 0;

  constructor(tx: Queryable, key: AuditKey) {
    this.#tx = tx;
    this.#key = key;
  }

  async run(checkpoints: readonly Checkpoint[]): Promise<Verification> {
    const head = await findHead(this.#tx);
    const last = await this.#checkLinks(head);
    this.#checkEnd(head, last);
    const { unlinked, unlinkedSince } = await this.#checkUnlinked(head);
    for (const ids of await findRepeatedNonces(this.#tx, mostFindings))
      this.#find("repeated-entry", `the entries ${ids.join(", ")} repeat each other`);
    const restoredBehind = await this.#checkCheckpoints(checkpoints, last);
    return {
      findings: this.#findings,
      findingsInAll: this.#findingsInAll,
      linked: last.position,
      withoutMac: this.#withoutMac,
      unlinked,
      unlinkedSince,
      restoredBehind,
      checkpoints: checkpoints.length,
    };
  }

  async #checkLinks(head: Head | undefined): Promise<Pick<Link, "position" | "chain">> {
    let before: Pick<Link, "position" | "chain"> = { position: 0, chain: this.#key.firstChain() };
    for (;;) {
      const rows = await listLinked(this.#tx, { after: before.position, limit: batch });
      for (const row of rows) {
        this.#checkLink(before, row, head);
        before = row;
      }
      if (rows.length < batch) return before;
    }
  }

  #checkLink(
    before: Pick<Link, "position" | "chain">,
    { position, entryId, chain, entry }: LinkedEntry,
    head: Head | undefined,
  ): void {
    if (position === before.position)
      return this.#find("changed-link", `position ${position} is there more than once`);
    if (position !== before.position + 1)
      this.#find("gap", `the positions ${before.position + 1} to ${position - 1} are missing`);
    if (!entry)
      return this.#find("deleted-entry", `entry ${entryId} at position ${position} is missing`);
    const isUnsigned = this.#checkMac(entry, {
      mayLackMac: head?.signedFrom === null || position < (head?.signedFrom ?? 0),
    });
    const isLinked = this.#key.link(before.chain, position, entry).equals(chain);
    if (!isLinked && position === before.position + 1)
      this.#find(
        "changed-link",
        `position ${position} (entry ${entryId}) does not follow the position before it: ` +
          "the entry, the link or their order was changed",
      );
    const { detail, action } = entry;
    if (isLinked && !isUnsigned && action === "database.restored") this.#noteRestore(detail);
  }

  /** True for an entry that has no MAC and may lack one. */
  #checkMac(entry: SignedEntry, { mayLackMac }: { mayLackMac: boolean }): boolean {
    const { id, nonce, mac } = entry;
    if (!nonce && !mac && mayLackMac) {
      this.#withoutMac += 1;
      return true;
    }
    if (!nonce || !mac) {
      this.#find("foreign-entry", `entry ${id} has no MAC: this service has not written it`);
      return false;
    }
    if (!this.#key.isSigned(entry))
      this.#find(
        "changed-entry",
        `entry ${id} does not agree with its MAC: it was changed, or this service has not written it`,
      );
    return false;
  }

  #noteRestore(detail: unknown): void {
    const { from, until } = detail as Partial<Restore>;
    if (typeof from === "number" && typeof until === "number") this.#restores.push({ from, until });
  }

  #checkEnd(head: Head | undefined, last: Pick<Link, "position" | "chain">): void {
    if (!head) return this.#find("end", "the table audit_head is empty: its row was deleted");
    if (!this.#key.isHead(head))
      return this.#find("end", "the row of audit_head does not agree with its MAC: it was changed");
    if (head.position !== last.position || !head.chain.equals(last.chain))
      this.#find(
        "end",
        `the chain ends at position ${last.position}, and audit_head says ${head.position}: ` +
          (head.position > last.position ? "its tail was cut off" : "links were added"),
      );
  }

  async #checkUnlinked(
    head: Head | undefined,
  ): Promise<Pick<Verification, "unlinked" | "unlinkedSince">> {
    let [after, unlinked] = ["0", 0];
    let since = Infinity;
    for (;;) {
      const entries = await findUnlinked(this.#tx, { after, limit: batch });
      for (const entry of entries) {
        this.#checkMac(entry, { mayLackMac: head?.signedFrom === null });
        since = Math.min(since, Number(entry.atMicros) / 1_000);
        after = entry.id;
      }
      unlinked += entries.length;
      if (entries.length < batch)
        return { unlinked, unlinkedSince: unlinked === 0 ? undefined : new Date(since) };
    }
  }

  /** Returns how many are behind a restore that was recorded. */
  async #checkCheckpoints(
    checkpoints: readonly Checkpoint[],
    last: Pick<Link, "position">,
  ): Promise<number> {
    const links = new Map<number, Link>();
    const positions = [...new Set(checkpoints.map(({ position }) => position))];
    for (const link of await findLinks(this.#tx, positions)) links.set(link.position, link);
    let restoredBehind = 0;
    for (const checkpoint of checkpoints) {
      const { position, at, chain } = checkpoint;
      if (!this.#key.isCheckpoint(checkpoint)) {
        this.#find("checkpoint", `the checkpoint of ${at} is of another database or key`);
        continue;
      }
      if (links.get(position)?.chain.toString("hex") === chain) continue;
      if (this.#restores.some(({ from, until }) => from < position && position <= until)) {
        restoredBehind += 1;
        continue;
      }
      this.#find(
        "checkpoint",
        `the checkpoint of ${at} at position ${position} is not in the chain, which ends at ${last.position}: ` +
          "an older or another copy is in its place, or its tail was cut off",
      );
    }
    return restoredBehind;
  }

  #find(kind: Finding["kind"], message: string): void {
    this.#findingsInAll += 1;
    if (this.#findings.length < mostFindings) this.#findings.push({ kind, message });
  }
}
