import { listLeaves } from "./list-leaves.ts";
import { listSpellings } from "./list-spellings.ts";
import { TextFinder } from "./text-finder.ts";

const mark = "[secret]";
/** A shorter one stands in many texts by chance. */
const leastCharacters = 6;
/**
 * When the secrets have more characters, no text is looked through, and each is withheld. That bounds time and memory.
 */
const mostCharacters = 20_000;
const withheld = "[withheld]";
/** Of a longer text, the beginning is looked through and given. */
const longestText = 16_000;

/** What must not leave the process in a text while a call runs, nor after it. */
export class CallSecrets {
  readonly #given = new SecretSet({ forgetsOldest: false });
  readonly #gained = new SecretSet({ forgetsOldest: true });
  readonly #previous = new SecretSet({ forgetsOldest: false });

  /** What the call brings along. */
  add(secret: unknown): void {
    this.#given.add(secret);
  }

  /** All that a session has, or whatever else an adapter keeps for later. */
  addSession(session: unknown): void {
    for (const leaf of listLeaves(session)) this.#given.add(leaf);
  }

  /** What the provider gives while the call runs, such as another cookie with each answer. The newest are known. */
  gain(secret: unknown): void {
    this.#gained.add(secret);
  }

  gainSession(session: unknown): void {
    for (const leaf of listLeaves(session)) this.#gained.add(leaf);
  }

  /** Adds the session that a sign-in replaces. What a person chooses by may be in it, such as the name of a company. */
  addPrevious(session: unknown): void {
    for (const leaf of listLeaves(session)) this.#previous.add(leaf);
  }

  /** The text with a mark in the place of each secret, in whatever spelling. */
  hide(text: string): string {
    return hideFrom(text, [this.#given, this.#gained, this.#previous]);
  }

  /** The same for the title of an option that a person chooses from. */
  hideInOption(title: string): string {
    return hideFrom(title, [this.#given, this.#gained]);
  }
}

class SecretSet {
  readonly #forgetsOldest: boolean;
  /** The oldest first. */
  readonly #values = new Set<string>();
  #characters = 0;
  #finder: TextFinder | undefined;

  constructor({ forgetsOldest }: { forgetsOldest: boolean }) {
    this.#forgetsOldest = forgetsOldest;
  }

  /** The secret as it is, and without what stands around it, which its user may take away. */
  add(secret: unknown): void {
    if (typeof secret !== "string") return;
    for (const value of [secret, secret.trim()]) {
      if (value.length < leastCharacters || this.#values.has(value)) continue;
      this.#characters += value.length;
      this.#finder = undefined;
      if (this.#forgetsOldest) this.#makeRoom();
      if (this.#characters <= mostCharacters) this.#values.add(value);
    }
  }

  #makeRoom(): void {
    for (const oldest of this.#values) {
      if (this.#characters <= mostCharacters) return;
      this.#values.delete(oldest);
      this.#characters -= oldest.length;
    }
  }

  /** With `isCut`, the text was cut off at its end. */
  hide(text: string, isCut: boolean): string {
    if (this.#characters === 0) return text;
    if (this.#characters > mostCharacters) return withheld;
    this.#finder ??= new TextFinder(
      [...this.#values].flatMap((value) => [...listSpellings(value)]),
    );
    return this.#finder.replace(text, mark, isCut);
  }
}

function hideFrom(text: string, secrets: readonly SecretSet[]): string {
  const shown = text.slice(0, longestText);
  const isCut = shown.length < text.length;
  return secrets.reduce((rest, set) => set.hide(rest, isCut), shown);
}

/** The same for all texts of a plain value, the names of its fields included. */
export function hideIn<Value>(value: Value, hide: (text: string) => string): Value {
  if (typeof value === "string") return hide(value) as Value;
  if (Array.isArray(value)) return value.map((one: unknown) => hideIn(one, hide)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [hide(name), hideIn(inner as unknown, hide)]),
  ) as Value;
}
