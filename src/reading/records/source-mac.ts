import type { Hmac } from "node:crypto";
import type { MacKey } from "../../platform/crypto/index.ts";

/**
 * Recognises an earlier answer of a provider without keeping it. It is keyed, because the answer holds salaries.
 * Of an adapter that uses the HTTP client, the bytes of the answers count; of another one, its pages.
 */
export class SourceMac {
  #hmac: Hmac | undefined;
  #hasAnswers = false;

  constructor(key: MacKey, context: readonly string[]) {
    this.#hmac = key.macOf().update(`source\0${JSON.stringify(context)}`);
  }

  addAnswer(body: Uint8Array): void {
    this.#hasAnswers = true;
    this.#hmac?.update(`${body.length}\0`).update(body);
  }

  addPage(raw: readonly unknown[]): void {
    if (this.#hasAnswers) return;
    try {
      this.#hmac?.update(`${raw.length}\0`);
      for (const record of raw) this.#hmac?.update(`${JSON.stringify(record)}\n`);
    } catch {
      // A value that JSON cannot express has no text to compare; the answer counts as new.
      this.#hmac = undefined;
    }
  }

  /** Null for an answer that cannot be compared. */
  digest(): Buffer | null {
    return this.#hmac?.digest() ?? null;
  }
}
