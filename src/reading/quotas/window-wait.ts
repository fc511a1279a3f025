import { slotsPerWindow, type Count, type Window } from "./quota-store.ts";

/** A twentieth of a window is left to small reads, where that is no more than a tenth; a second is short by itself. */
const smallPart = 20;
const leastShared = 10;

/** How long it takes until a window has room for one more request; 0 when it has now. */
export function windowWait(
  counts: readonly Count[],
  window: Window,
  { now, isSmall }: { now: number; isSmall: boolean },
): number {
  const { seconds, most } = window;
  const oldest = slotOf(now, seconds) - slotsPerWindow;
  const live = counts.filter(({ slot }) => slot >= oldest);
  const share = isSmall ? 0 : shareOfSmall(window);
  let left = live.reduce((sum, { requests }) => sum + requests, 0);
  let leftSmall = live.reduce((sum, { small }) => sum + small, 0);
  const hasRoom = (): boolean => left < most - Math.max(0, share - leftSmall);
  if (hasRoom()) return 0;
  for (const { slot, requests, small } of live) {
    left -= requests;
    leftSmall -= small;
    if (hasRoom()) return (slot + slotsPerWindow + 1) * slotSeconds(seconds) - now;
  }
  return seconds;
}

/** How much of a window is in use once one more request was sent: 1 for all of it, or when it has no room. */
export function shareInUse(
  counts: readonly Count[],
  { seconds, most }: Window,
  now: number,
): number {
  const oldest = slotOf(now, seconds) - slotsPerWindow;
  const used = counts.reduce((sum, { slot, requests }) => sum + (slot >= oldest ? requests : 0), 0);
  return Math.min(1, (used + 1) / most);
}

function shareOfSmall({ seconds, most }: Window): number {
  return seconds === 1 || most < leastShared ? 0 : Math.max(1, Math.floor(most / smallPart));
}

export function slotOf(now: number, windowSeconds: number): number {
  return Math.floor(now / slotSeconds(windowSeconds));
}

function slotSeconds(windowSeconds: number): number {
  return windowSeconds / slotsPerWindow;
}
