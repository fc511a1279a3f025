import { randomUUID } from "node:crypto";
import type { SteadyClock } from "../../platform/clock.ts";
import type { Keyring } from "../../platform/crypto/index.ts";
import { deleteInBatches, transaction, type Pool } from "../../platform/db/index.ts";
import type { Metrics } from "../../platform/metrics.ts";
import {
  createFailure,
  ProviderBug,
  type Draws,
  type ProviderRegistry,
  type RequestQuotas,
} from "../../providers/index.ts";
import * as store from "./quota-store.ts";

/** A request that was admitted. It is under way until `end` is called. */
export interface Ticket {
  end(): void;
}

/** A longer wait than this ends the run: what it has is kept, and the read goes on then. */
const longestWaitSeconds = 65;
/** For a limit of requests at once, nobody says when one of them ends. */
const lookForPlaceSeconds = 0.1;
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

  /** The same for the calls of one provider, until the signal fires. */
  of(provider: string, signal: AbortSignal): RequestQuotas {
    return {
      draw: (draws, given) =>
        this.draw(provider, draws, given ? AbortSignal.any([signal, given]) : signal),
      pause: (draws, seconds) => this.pause(provider, draws, seconds),
    };
  }

  /**
   * Resolves when one more request may be sent. Throws ProviderRateLimited when that takes long, ProviderBug for a
   * limit that the provider does not declare, and the signal's reason.
   */
  async draw(provider: string, draws: Draws, signal: AbortSignal): Promise<Ticket> {
    const { clock, metrics } = this.#dependencies;
    const wanted = this.#limits(provider, draws);
    const startedMs = clock.elapsedMs();
    for (;;) {
      const admitted = await this.#admit(wanted);
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
    const { pool } = this.#dependencies;
    for (const deleteBatch of store.deletesOfOldCounts)
      await deleteInBatches((limit) => deleteBatch(pool, limit), signal);
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
  async #admit(wanted: readonly store.Draw[]): Promise<string[] | { waitSeconds: number }> {
    const { pool } = this.#dependencies;
    const keys = wanted.map(({ key }) => key);
    return await transaction(pool, async (tx) => {
      await store.lockKeys(tx, keys);
      const { now, waitSeconds } = await findWait(tx, wanted);
      if (waitSeconds > 0) return { waitSeconds };
      const slots = wanted.flatMap(({ key, windows }) =>
        windows.map(({ seconds }) => ({ key, windowSeconds: seconds, slot: slotOf(now, seconds) })),
      );
      if (slots.length > 0) await store.addToSlots(tx, slots);
      const places = wanted
        .filter(({ atOnce }) => atOnce !== undefined)
        .map(({ key }) => ({ id: randomUUID(), key }));
      if (places.length > 0) await store.insertPlaces(tx, places, longestRequestSeconds);
      return places.map(({ id }) => id);
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

/** The time, and the longest wait in seconds that one of the limits asks for; 0 when all of them have room. */
async function findWait(
  tx: Parameters<typeof store.findCounts>[0],
  wanted: readonly store.Draw[],
): Promise<{ now: number; waitSeconds: number }> {
  const keys = wanted.map(({ key }) => key);
  const { now, seconds } = await store.findPause(tx, keys);
  const waits = [0, seconds ?? 0];
  const counts = await store.findCounts(tx, keys);
  for (const { key, windows } of wanted)
    for (const window of windows) {
      const own = counts.filter((c) => c.key === key && c.windowSeconds === window.seconds);
      waits.push(windowWait(own, window, now));
    }
  if (wanted.some(({ atOnce }) => atOnce !== undefined)) {
    const taken = await store.countPlaces(tx, keys);
    if (wanted.some(({ key, atOnce = Infinity }) => (taken.get(key) ?? 0) >= atOnce))
      waits.push(lookForPlaceSeconds);
  }
  return { now, waitSeconds: Math.max(...waits) };
}

/** How long it takes until a window has room for one more request; 0 when it has now. */
function windowWait(
  counts: readonly { slot: number; requests: number }[],
  { seconds, most }: store.Window,
  now: number,
): number {
  const oldest = slotOf(now, seconds) - store.slotsPerWindow;
  const live = counts.filter(({ slot }) => slot >= oldest);
  let left = live.reduce((sum, { requests }) => sum + requests, 0);
  if (left < most) return 0;
  for (const { slot, requests } of live) {
    left -= requests;
    if (left < most) return (slot + store.slotsPerWindow + 1) * slotSeconds(seconds) - now;
  }
  return seconds;
}

function slotOf(now: number, windowSeconds: number): number {
  return Math.floor(now / slotSeconds(windowSeconds));
}

function slotSeconds(windowSeconds: number): number {
  return windowSeconds / store.slotsPerWindow;
}
