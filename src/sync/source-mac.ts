import type { Hmac } from "node:crypto";
import type { DataKey } from "../platform/crypto/index.ts";
import { nextTurn } from "../platform/next-turn.ts";

const recordsPerTurn = 500;

/** Recognises an earlier answer of a provider without keeping it. It is keyed, because the answer holds salaries. */
export class SourceMac {
  #hmac: Hmac | undefined;

  constructor(key: DataKey, context: readonly string[]) {
    this.#hmac = key.macOf("poll").update(JSON.stringify(context));
  }

  async add(raw: readonly unknown[]): Promise<void> {
    for (let start = 0; start < raw.length && this.#hmac; start += recordsPerTurn) {
      try {
        this.#hmac.update(JSON.stringify(raw.slice(start, start + recordsPerTurn)));
      } catch {
        // A value that JSON cannot express has no text to compare; the answer counts as new.
        this.#hmac = undefined;
      }
      await nextTurn();
    }
  }

  digest(): Buffer | null {
    return this.#hmac?.digest() ?? null;
  }
}
