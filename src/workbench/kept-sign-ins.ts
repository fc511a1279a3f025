import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DataKey } from "../platform/crypto/index.ts";
import { createDurably, replaceDurably } from "../platform/durable-files.ts";
import type { KeptSignIn } from "./child/messages.ts";

interface Place {
  provider: string;
  mode: string;
}

/**
 * The sign-ins of runs, each in a sealed file of the state folder, so that a run by hand asks for a password once. They
 * belong to no connection. The folder also has the key that makes the values of recordings up.
 */
export class KeptSignIns {
  readonly #folder: string;

  constructor(stateDir: string) {
    this.#folder = join(stateDir, "provider-runs");
  }

  /** Undefined without one, or with one that another key sealed. */
  find(place: Place): KeptSignIn | undefined {
    const path = this.#pathOf(place);
    if (!existsSync(path)) return undefined;
    try {
      const sealed = Buffer.from(readFileSync(path, "utf8"), "base64");
      return JSON.parse(this.#key("seal").open(sealed, contextOf(place)).toString()) as KeptSignIn;
    } catch {
      return undefined;
    }
  }

  keep(place: Place, kept: KeptSignIn): void {
    const sealed = this.#key("seal").seal(Buffer.from(JSON.stringify(kept)), contextOf(place));
    replaceDurably(this.#pathOf(place), sealed.toString("base64"));
  }

  forget(place: Place): void {
    rmSync(this.#pathOf(place), { force: true });
  }

  /** The same for all recordings of this state folder, so that a later one can be compared with an earlier one. */
  disguiseKey(): Buffer {
    return this.#keyBytes("disguise");
  }

  #pathOf({ provider, mode }: Place): string {
    return join(this.#folder, `${provider}-${mode}.sealed`);
  }

  #key(name: string): DataKey {
    return new DataKey(this.#keyBytes(name));
  }

  #keyBytes(name: string): Buffer {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${name}.key`);
    if (!existsSync(path)) createDurably(path, randomBytes(32).toString("base64"));
    return Buffer.from(readFileSync(path, "utf8"), "base64");
  }
}

function contextOf({ provider, mode }: Place): readonly string[] {
  return ["provider run", provider, mode];
}
