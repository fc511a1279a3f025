import { randomUUID } from "node:crypto";
import * as store from "./store.ts";
import type { Audit } from "../audit/index.ts";
import type { Keyring, MasterKey } from "../platform/crypto/index.ts";
import {
  allowLongStatements,
  type DatabaseClock,
  transaction,
  type Pool,
  type Queryable,
} from "../platform/db/index.ts";
import type { KeyedRows } from "../platform/keyed-rows.ts";
import type { Log } from "../platform/log.ts";
import { repeat } from "../platform/repeat.ts";
import { makeCanary, checkKeys, type KeySource } from "./open-keyring.ts";
import { rewrapRows, type Progress, type Rewrapped } from "./rewrap-rows.ts";

interface KeysDependencies {
  pool: Pool;
  keyring: Keyring;
  clock: DatabaseClock;
  log: Log;
  audit: Audit;
  keyedRows: readonly KeyedRows[];
}

export interface KeyStatus {
  id: string;
  /** `unknown`: rows name it, and no process has ever started with it. */
  state: "active" | "opens" | "missing" | "retired" | "unknown";
  addedAt: Date | null;
  /** Nothing was ever sealed under it as the first key of a process. */
  isNeverFirst: boolean;
  /** By table. */
  rows: Record<string, number>;
}

/** What a process tells of itself besides its keys, for operators. */
interface ProcessDescription {
  version?: string;
  /** Asked each time. */
  listSchedules?: () => readonly store.ScheduleReport[];
}

/** A process tells that it runs in this interval, and counts as running for four of them. */
const tellEveryMs = 15_000;
const countsSeconds = 60;
const forgottenSeconds = 3_600;

export class Keys {
  readonly #dependencies: KeysDependencies;

  constructor(dependencies: KeysDependencies) {
    this.#dependencies = dependencies;
  }

  /** Every key that the database has used, and what is sealed under it. */
  async status(): Promise<KeyStatus[]> {
    const { pool, keyring, keyedRows } = this.#dependencies;
    const known = await store.listKeys(pool);
    const byKey = new Map<string, Record<string, number>>();
    await transaction(pool, async (transacted) => {
      const tx = await allowLongStatements(transacted);
      for (const { table, count } of keyedRows)
        for (const { keyId, rows } of await count(tx))
          byKey.set(keyId, { ...byKey.get(keyId), [table]: rows });
    });
    const ids = new Set([...known.map(({ id }) => id), ...byKey.keys()]);
    const noRows = Object.fromEntries(keyedRows.map(({ table }) => [table, 0]));
    return [...ids].map((id) => {
      const key = known.find((entry) => entry.id === id);
      const rows = { ...noRows, ...byKey.get(id) };
      const isNeverFirst = key?.activatedAt === null;
      const state = stateOf(id, key, keyring);
      return { id, state, addedAt: key?.addedAt ?? null, isNeverFirst, rows };
    });
  }

  /**
   * The keys that were active, are so in no process any more, and are not retired: what they sealed has to be sealed
   * again. One that waits to become active is none of them. Counts no rows.
   */
  async listUnretired(): Promise<{ id: string; addedAt: Date }[]> {
    const { pool, keyring } = this.#dependencies;
    const [known, processes] = await Promise.all([store.listKeys(pool), this.processes()]);
    const active = new Set([keyring.activeKeyId, ...processes.map(({ activeKey }) => activeKey)]);
    return known.filter(
      ({ id, activatedAt, retiredAt }) => activatedAt && !retiredAt && !active.has(id),
    );
  }

  /** A name that no key of this database has or had. */
  async unusedName(wanted: string): Promise<string> {
    const { pool, keyring } = this.#dependencies;
    const used = new Set([...keyring.keyIds, ...(await store.listKeys(pool)).map(({ id }) => id)]);
    let name = wanted;
    for (let number = 2; used.has(name); number += 1) name = `${wanted}-${number}`;
    return name;
  }

  /**
   * Stores the canary of a key after `keep` has put the key where the next start finds it, as the active one. When it
   * ends in between, that start stores it.
   */
  async add(key: MasterKey, keep: () => Promise<void>): Promise<void> {
    const { pool, clock, audit } = this.#dependencies;
    await this.refuseRunning("would not know the new key");
    await keep();
    await transaction(
      pool,
      async (tx) => {
        if ((await store.listKeys(tx)).some(({ id }) => id === key.id)) return;
        const now = clock.now();
        await store.insertKey(tx, {
          id: key.id,
          canary: makeCanary(key),
          addedAt: now,
          activatedAt: now,
        });
        await audit.record(tx, "key.activated", { detail: { key: key.id } });
      },
      { lock: "master keys" },
    );
  }

  /**
   * Seals everything under the active key. It can be ended and begun again at any time, and run several times at once.
   * `neverFirst` are the keys that are here and have never been active.
   */
  async rewrap(
    onProgress: (progress: Progress) => void,
  ): Promise<Rewrapped & { neverFirst: string[] }> {
    const { pool, keyring, audit } = this.#dependencies;
    const { activeKeyId } = keyring;
    const unaware = (await this.processes()).find(({ keyIds }) => !keyIds.includes(activeKeyId));
    if (unaware)
      throw new KeyRefused(
        `a running process (${unaware.role}) does not have the key ${activeKeyId}: add it to MASTER_KEYS of every ` +
          "process, start them again, and repeat this",
      );
    const done = await rewrapRows(this.#dependencies, onProgress);
    if (done.rewrapped > 0)
      await audit.record(pool, "key.rewrapped", {
        detail: { key: activeKeyId, rows: done.rewrapped },
      });
    const activated = new Set(
      (await store.listKeys(pool)).flatMap(({ id, activatedAt }) => (activatedAt ? [id] : [])),
    );
    return { ...done, neverFirst: keyring.keyIds.filter((id) => !activated.has(id)) };
  }

  /** Nothing can be sealed under the key from then on, by no process. False when it was retired before. */
  async retire(keyId: string): Promise<boolean> {
    const { pool, keyring, clock, audit } = this.#dependencies;
    if (keyId === keyring.activeKeyId)
      throw new KeyRefused(`${keyId} is the first key: put the one that takes its place before it`);
    return await transaction(pool, async (transacted) => {
      const tx = await allowLongStatements(transacted);
      const processes = await this.processes(tx);
      const user = processes.find(({ activeKey }) => activeKey === keyId);
      if (user)
        throw new KeyRefused(
          `a running process (${user.role}) still seals under ${keyId}: put another key first in MASTER_KEYS of ` +
            "every process, start them again, and repeat this",
        );
      const key = await store.lockKey(tx, keyId);
      if (!key) throw new KeyRefused(`no key is named ${keyId}: see rollcall keys status`);
      if (key.retiredAt) return false;
      const owner = processes.find(({ keyIds }) => keyIds.includes(keyId));
      if (!key.activatedAt && owner) throw new KeyRefused(waitsToBeFirst(keyId, owner));
      await this.#refuseUsed(tx, key);
      await store.setRetired(tx, keyId, clock.now());
      await audit.record(tx, "key.retired", { detail: { key: keyId } });
      return true;
    });
  }

  /** Tells the other processes which keys this one has, and forgets those that were retired. */
  tellKeys(
    role: string,
    { version, listSchedules }: ProcessDescription = {},
  ): { id: string; stop: () => Promise<void> } {
    const { pool, keyring, clock, log } = this.#dependencies;
    const id = randomUUID();
    const started = { version: version ?? null, startedAt: clock.now() };
    const telling = repeat(log, "telling which keys this process has", tellEveryMs, async () => {
      const { keyIds, activeKeyId: activeKey } = keyring;
      const retired = await store.renewProcess(
        pool,
        { id, role, keyIds, activeKey, ...started, schedules: listSchedules?.() ?? [] },
        { forgottenSeconds, clockAheadSeconds: clock.aheadSeconds },
      );
      for (const keyId of retired) keyring.forget(keyId);
    });
    return {
      id,
      stop: async () => {
        await telling.stop();
        await store.deleteProcess(pool, id).catch(() => undefined);
      },
    };
  }

  /** For what may only be done while no process of the service uses the database. `why` says what one would do. */
  async refuseRunning(why: string): Promise<void> {
    const [running] = await this.processes();
    if (running)
      throw new KeyRefused(
        `a process of this service runs (${running.role}) and ${why}; stop it, or wait a minute if it was killed`,
      );
  }

  /** The processes that have told within the last minute that they run. */
  async processes(db: Queryable = this.#dependencies.pool): Promise<store.ListedProcess[]> {
    return await store.listProcesses(db, countsSeconds);
  }

  /** The processes that ran when one told last: while the database takes no writes, none can tell any more. */
  async lastProcesses(): Promise<store.ListedProcess[]> {
    return await store.listLastProcesses(this.#dependencies.pool, countsSeconds);
  }

  /** Throws StartRefused as a start with these keys would. It changes nothing. */
  async check(source: KeySource): Promise<void> {
    await checkKeys(this.#dependencies, source);
  }

  async #refuseUsed(tx: Queryable, { id, activatedAt }: store.KnownKey): Promise<void> {
    const { keyring, keyedRows } = this.#dependencies;
    const used: string[] = [];
    for (const { table, count } of keyedRows) {
      const found = (await count(tx)).find(({ keyId }) => keyId === id);
      if (found) used.push(`${found.rows} in ${table}`);
    }
    const isKept = (await store.listKeptAccountKeys(tx)).some((kept) => kept.id === id);
    if (used.length === 0 && activatedAt && keyring.has(id) && !isKept)
      used.push("the digests of accounts");
    if (used.length > 0)
      throw new KeyRefused(
        `rows are still sealed under ${id} (${used.join(", ")}): seal them again with rollcall keys rewrap`,
        "in_use",
      );
  }
}

/** Nobody could put it first after that. */
function waitsToBeFirst(keyId: string, { role }: store.ListedProcess): string {
  return (
    `${keyId} has never been the first key, and a running process (${role}) has it: put it first in MASTER_KEYS of ` +
    "every process, or take it out of them if it is not to be used, start them again, and repeat this"
  );
}

function stateOf(
  id: string,
  key: store.KnownKey | undefined,
  keyring: Keyring,
): KeyStatus["state"] {
  if (key?.retiredAt) return "retired";
  if (!keyring.has(id)) return key ? "missing" : "unknown";
  return id === keyring.activeKeyId ? "active" : "opens";
}

/** What an operator asked for a key cannot be done now. The message says why and what to do. */
class KeyRefused extends Error {
  readonly code: string;
  constructor(message: string, code = "refused") {
    super(message);
    this.code = code;
  }
}
