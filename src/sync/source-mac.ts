import type { Hmac } from "node:crypto";
import type { DataKey } from "../platform/crypto/index.ts";
import { nextTurn } from "../platform/next-turn.ts";

const recordsPerTurn = 500;

/** Recognises an answer that a provider gave before, without keeping it. Keyed, because it is made of salaries. */
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
        // What is no JSON has no text to go by; the answer counts as new.
        this.#hmac = undefined;
      }
      await nextTurn();
    }
  }

  digest(): Buffer | null {
    return this.#hmac?.digest() ?? null;
  }
}
