import { setTimeout as delay } from "node:timers/promises";

const attempts = 6_000;

/**
 * Waits for a condition. Throws only after very many looks, so that a slow machine does not fail.
 */
export async function untilTrue(
  what: string,
  isSo: () => Promise<boolean> | boolean,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await isSo()) return;
    await delay(5);
  }
  throw new Error(`this did not become true: ${what}`);
}
