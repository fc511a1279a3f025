import { setTimeout as delay } from "node:timers/promises";

const attempts = 2_000;

/** Looks again and again, for as long as it takes; only a state that never comes fails. */
export async function untilTrue(
  what: string,
  isSo: () => Promise<boolean> | boolean,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await isSo()) return;
    await delay(5);
  }
  throw new Error(`it never came to this: ${what}`);
}
