import { randomUUID } from "node:crypto";
import type { SteadyClock } from "../../platform/clock.ts";
import type { Keyring } from "../../platform/crypto/index.ts";
import { transaction, type Pool, type Queryable } from "../../platform/db/index.ts";
import type { Metrics } from "../../platform/metrics.ts";
import {
  createFailure,
  ProviderBug,
  type Draws,
  type ProviderRegistry,
  type RequestQuotas,
} from "../../providers/index.ts";
import * as store from "./quota-store.ts";
import { shareInUse, slotOf, windowWait } from "./window-wait.ts";

/** A request that was admitted. It is under way until `end` is called. */
export interface Ticket {
  end(): void;
}

/** A longer wait than this ends the run: what it has is kept, and the read goes on then. */
const longestWaitSeconds = 65;
/** For a limit of requests at once, nobody says when one of them ends. */
const lookForPlaceSeconds = 0.1;
/** A request of a large read that waits is passed by so many of small ones, and then it is its turn. */
const mostPassed = 3;
/** Who waits for a limit asks again at the end of the wait. Whoever has not done so after this waits no more. */
const lateSeconds = 2;
/** A request whose process was killed counts as under way for so long. */
const longestRequestSeconds = 120;
const secondsPerDay = 86_400;

interface QuotasDependencies {
  pool: Pool;
  clock: SteadyClock;
  keyring: Keyring;
  metrics: Metrics;
  registry: ProviderRegistry;
}

/** The requests that providers take, over all processes. */
export class Quotas {
  readonly #dependencies: QuotasDependencies;

  constructor(dependencies: QuotasDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The same for one call of a provider, until the signal fires. Its first requests are small, as far as they are all
   * that a small read needs: they have a share that large reads leave to them, and go first.
   */
  of(provider: string, signal: AbortSignal, smallRequests = Infinity): RequestQuotas {
    let requests = 0;
    return {
      draw: (draws, given) => {
        requests += 1;
        const ended = given ? AbortSignal.any([signal, given]) : signal;
        return this.draw(provider, draws, ended, requests <= smallRequests);
      },
      pause: (draws, seconds) => this.pause(provider, draws, seconds),
    };
  }

  /**
   * Resolves when one more request may be sent. Throws ProviderRateLimited when that takes long, ProviderBug for a
   * limit that the provider does not declare, and the signal's reason.
   */
  async draw(provider: string, draws: Draws, signal: AbortSignal, isSmall = true): Promise<Ticket> {
    const { pool } = this.#dependencies;
    const id = randomUUID();
    try {
      return await this.#wait(provider, this.#limits(provider, draws), { id, isSmall, signal });
    } catch (error) {
      // A wait that is not taken away ends by itself.
      await store.deleteWaiting(pool, id).catch(() => undefined);
      throw error;
    }
  }

  async #wait(
    provider: string,
    wanted: readonly store.Draw[],
    { signal, ...waiter }: Waiter & { signal: AbortSignal },
  ): Promise<Ticket> {
    const { clock, metrics } = this.#dependencies;
    const startedMs = clock.elapsedMs();
    for (;;) {
      const admitted = await this.#admit(provider, wanted, waiter);
      if (Array.isArray(admitted)) return this.#ticket(admitted);
      const { waitSeconds } = admitted;
      if ((clock.elapsedMs() - startedMs) / 1_000 + waitSeconds > longestWaitSeconds)
        throw createFailure({ kind: "rate-limited", afterSeconds: Math.ceil(waitSeconds) });
      metrics.quotaWaits.inc({ provider }, waitSeconds);
      await clock.sleep(Math.max(1, waitSeconds * 1000), signal);
    }
  }

  /**
   * Pauses all requests that draw on these limits, because the provider asked to wait. A limit that customers share is
   * paused only for requests that draw on no other. `seconds` is undefined when the provider did not say how long.
   */
  async pause(provider: string, draws: Draws, seconds: number | undefined): Promise<void> {
    const { pool } = this.#dependencies;
    const limits = this.#limits(provider, draws);
    const own = limits.filter(({ isShared }) => !isShared);
    const keys = (own.length > 0 ? own : limits).map(({ key }) => key);
    if (seconds === undefined) await store.pauseForRefusal(pool, keys);
    else await store.pauseFor(pool, keys, Math.min(Math.max(0, seconds), secondsPerDay));
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    await store.removeOldCounts(this.#dependencies.pool, signal);
  }

  #limits(provider: string, draws: Draws): (store.Draw & { isShared: boolean })[] {
    const { registry, keyring } = this.#dependencies;
    const quotas = registry.find(provider)?.limits?.quotas ?? {};
    return Object.entries(draws)
      .map(([name, value]) => {
        const quota = quotas[name];
        if (!quota) throw new ProviderBug("the adapter draws on a limit that it does not declare");
        const { perSecond, perMinute, perDay, atOnce, isShared = false } = quota;
        return {
          key: keyring.pseudonym(`quota ${provider} ${name} ${value}`),
          windows: [
            ...(perSecond === undefined ? [] : [{ seconds: 1, most: perSecond }]),
            ...(perMinute === undefined ? [] : [{ seconds: 60, most: perMinute }]),
            ...(perDay === undefined ? [] : [{ seconds: secondsPerDay, most: perDay }]),
          ],
          atOnce,
          isShared,
        };
      })
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** The ids of the places that it took, or how long to wait before it asks again. */
  async #admit(
    provider: string,
    wanted: readonly store.Draw[],
    waiter: Waiter,
  ): Promise<string[] | { waitSeconds: number }> {
    const { pool } = this.#dependencies;
    const keys = wanted.map(({ key }) => key);
    return await transaction(pool, async (tx) => {
      await store.lockKeys(tx, keys);
      const found = await findUse(tx, wanted);
      const share = shareOf(wanted, found);
      if (share !== undefined) this.#dependencies.metrics.noteQuota(provider, share);
      const waits = wanted.map((limit) => ({
        key: limit.key,
        seconds: turnWait(limit, found, waiter),
      }));
      const waitSeconds = Math.max(found.pauseSeconds, ...waits.map(({ seconds }) => seconds));
      if (waitSeconds > 0) {
        const held = waits.filter(({ seconds }) => seconds > 0).map(({ key }) => key);
        await store.saveWaiting(tx, waiter, { keys: held, seconds: waitSeconds + lateSeconds });
        return { waitSeconds };
      }
      await leaveWaits(tx, keys, found.waiting, waiter);
      return await take(tx, wanted, found.now, waiter);
    });
  }

  #ticket(places: readonly string[]): Ticket {
    let isUnderWay = places.length > 0;
    return {
      end: () => {
        if (!isUnderWay) return;
        isUnderWay = false;
        // A place that is not given back ends by itself.
        store.deletePlaces(this.#dependencies.pool, places).catch(() => undefined);
      },
    };
  }
}

interface Waiter {
  id: string;
  isSmall: boolean;
}

/** What is used of some limits now, and who waits for them. */
interface Use {
  now: number;
  pauseSeconds: number;
  counts: readonly store.Count[];
  taken: ReadonlyMap<string, number>;
  waiting: readonly store.Waiting[];
}

async function findUse(tx: Queryable, wanted: readonly store.Draw[]): Promise<Use> {
  const keys = wanted.map(({ key }) => key);
  const { now, seconds } = await store.findPause(tx, keys);
  const hasPlaces = wanted.some(({ atOnce }) => atOnce !== undefined);
  return {
    now,
    pauseSeconds: seconds ?? 0,
    counts: await store.findCounts(tx, keys),
    taken: hasPlaces ? await store.countPlaces(tx, keys) : new Map(),
    waiting: await store.findWaiting(tx, keys),
  };
}

/** Of the limit that is used most; undefined without one of a minute or a day. A second is full at every burst. */
function shareOf(wanted: readonly store.Draw[], { now, counts }: Use): number | undefined {
  const shares = wanted.flatMap(({ key, windows }) =>
    windows
      .filter(({ seconds }) => seconds > 1)
      .map((window) => {
        const own = counts.filter((c) => c.key === key && c.windowSeconds === window.seconds);
        return shareInUse(own, window, now);
      }),
  );
  return shares.length === 0 ? undefined : Math.max(...shares);
}

/** How long to wait for one limit; 0 when it has room, and it is nobody else's turn. */
function turnWait(limit: store.Draw, use: Use, { id, isSmall }: Waiter): number {
  const seconds = roomWait(limit, use, isSmall);
  if (seconds > 0) return seconds;
  const ofLimit = use.waiting.filter(({ key }) => key === limit.key);
  const passed = ofLimit.find((one) => one.id === id)?.passed ?? 0;
  const isTurnOfOther = isSmall
    ? ofLimit.some((one) => !one.isSmall && one.passed >= mostPassed) &&
      roomWait(limit, use, false) === 0
    : passed < mostPassed && ofLimit.some((one) => one.isSmall);
  return isTurnOfOther ? lookForPlaceSeconds : 0;
}

/** How long it takes until the limit has room; 0 when it has now. */
function roomWait(
  { key, windows, atOnce = Infinity }: store.Draw,
  { now, counts, taken }: Use,
  isSmall: boolean,
): number {
  const waits = windows.map((window) => {
    const own = counts.filter((c) => c.key === key && c.windowSeconds === window.seconds);
    return windowWait(own, window, { now, isSmall });
  });
  const hasPlace = (taken.get(key) ?? 0) < atOnce;
  return Math.max(hasPlace ? 0 : lookForPlaceSeconds, ...waits);
}

/** The request waits no more, and those that it has passed are told. */
async function leaveWaits(
  tx: Queryable,
  keys: readonly string[],
  waiting: readonly store.Waiting[],
  { id, isSmall }: Waiter,
): Promise<void> {
  if (waiting.length === 0) return;
  await store.deleteWaiting(tx, id);
  await store.notePassed(tx, keys, isSmall);
}

/** Counts the request, and returns the ids of the places that it took. */
async function take(
  tx: Queryable,
  wanted: readonly store.Draw[],
  now: number,
  { isSmall }: Waiter,
): Promise<string[]> {
  const slots = wanted.flatMap(({ key, windows }) =>
    windows.map(({ seconds }) => ({ key, windowSeconds: seconds, slot: slotOf(now, seconds) })),
  );
  if (slots.length > 0) await store.addToSlots(tx, slots, isSmall);
  const places = wanted
    .filter(({ atOnce }) => atOnce !== undefined)
    .map(({ key }) => ({ id: randomUUID(), key }));
  if (places.length > 0) await store.insertPlaces(tx, places, longestRequestSeconds);
  return places.map(({ id }) => id);
}
