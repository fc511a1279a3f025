import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DataKey } from "../platform/crypto/index.ts";
import { createDurably, replaceDurably } from "../platform/durable-files.ts";
import type { KeptSignIn } from "./child/messages.ts";

/** Where a sign-in is for. */
export interface SignInPlace {
  provider: string;
  mode: string;
  /** Of the system that plays the provider's own, which is no place for the session of that. */
  origin?: string | undefined;
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
  find(place: SignInPlace): KeptSignIn | undefined {
    const path = this.#pathOf(place);
    if (!existsSync(path)) return undefined;
    try {
      const sealed = Buffer.from(readFileSync(path, "utf8"), "base64");
      return JSON.parse(this.#key("seal").open(sealed, contextOf(place)).toString()) as KeptSignIn;
    } catch {
      return undefined;
    }
  }

  keep(place: SignInPlace, kept: KeptSignIn): void {
    const sealed = this.#key("seal").seal(Buffer.from(JSON.stringify(kept)), contextOf(place));
    replaceDurably(this.#pathOf(place), sealed.toString("base64"));
  }

  forget(place: SignInPlace): void {
    rmSync(this.#pathOf(place), { force: true });
  }

  /** The same for all recordings of this state folder, so that a later one can be compared with an earlier one. */
  disguiseKey(): Buffer {
    return this.#keyBytes("disguise");
  }

  #pathOf(place: SignInPlace): string {
    const name = partsOf(place)
      .join("-")
      .replaceAll(/[^\w.-]+/g, "-");
    return join(this.#folder, `${name}.sealed`);
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

function partsOf({ provider, mode, origin }: SignInPlace): string[] {
  return [provider, mode, ...(origin === undefined ? [] : [origin])];
}

function contextOf(place: SignInPlace): readonly string[] {
  return ["provider run", ...partsOf(place)];
}
