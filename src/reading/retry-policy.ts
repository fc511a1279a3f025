import { secondsBetween } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import { doubled, jittered } from "../platform/retry.ts";
import type { Read } from "./read.ts";

/** Seconds before the second, third and fourth try of a read. */
const delaysSeconds = [2, 8, 30];
const spread = 0.2;
const withinSeconds = 120;
/** A try that begins later would not be given the time for an answer. */
const lastTryWithinSeconds = 110;
/** A run before which no other one has failed has this time for its first answer, whatever ended the others. */
const firstAnswerSeconds = 60;
const leastAnswerSeconds = 1;
/** Stopping, settling and telling the callers take less than this. */
const marginSeconds = 2;

/** A whole read may take so long, with all its runs and waits. */
export const longestReadSeconds = 24 * 3_600;
/** Every caller gets a failure for this long. Then the next request begins a new read. */
export const failureKeptSeconds = 60;
export const unsupportedKeptSeconds = 24 * 3600;
/** A right that is given back heals within this time. */
export const forbiddenKeptSeconds = 3600;

/** After how many seconds to try again after this many tries. Undefined means that the read has failed. */
export function nextTry({
  tries,
  retrySince,
  now,
  random,
}: {
  tries: number;
  retrySince: Date;
  now: Date;
  random: Random;
}): number | undefined {
  const delay = delaysSeconds[tries - 1];
  if (delay === undefined) return undefined;
  const seconds = jittered(delay, spread, random);
  return secondsBetween(retrySince, now) + seconds <= lastTryWithinSeconds ? seconds : undefined;
}

/**
 * How long a run waits for the provider's first answer: a provider that answers nothing makes a failure within two
 * minutes of the first run. Undefined for a read that goes on after the provider made it wait.
 */
export function firstAnswerWithinMs(
  read: Pick<Read, "tries" | "waits" | "keptPages" | "retrySince">,
  now: Date,
): number | undefined {
  if (read.waits > 0 || read.keptPages > 0) return undefined;
  const left = withinSeconds - marginSeconds - secondsBetween(read.retrySince, now);
  return 1_000 * Math.max(left, read.tries === 0 ? firstAnswerSeconds : leastAnswerSeconds);
}

/** A provider that asks for a longer wait is asked again after this one. */
const longestWaitSeconds = 3_600;
const longestOwnWaitSeconds = 300;

/**
 * After how many seconds a provider that asked us to wait is asked again: as it said, and longer each time in a row.
 */
export function waitAfterRefusal(askedSeconds: number, waits: number): number {
  const asked = Number.isNaN(askedSeconds) ? 0 : askedSeconds;
  const own = doubled(1, waits, longestOwnWaitSeconds);
  return Math.min(Math.max(asked, own), longestWaitSeconds);
}
