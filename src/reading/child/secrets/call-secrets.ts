import { IndexedText } from "./indexed-text.ts";
import { listLeaves } from "./list-leaves.ts";
import { listSpellings } from "./list-spellings.ts";

const mark = "[secret]";
/** A shorter one stands in many texts by chance. */
const leastCharacters = 6;
/** A longer one is known by its beginning. */
const longestSecret = 1_000;
/**
 * When the secrets have more bytes, no text is looked through, and each is withheld. All spellings of a secret have at
 * most 25 times its bytes, so that this bounds time and memory.
 */
const mostBytes = 20_000;
const withheld = "[withheld]";
/** Of a longer text, the beginning is looked through and given. */
const longestText = 16_000;

/** What must not leave the process in a text while a call runs, nor after it. */
export class CallSecrets {
  readonly #given = new SecretSet({ forgetsOldest: false });
  readonly #gained = new SecretSet({ forgetsOldest: true });
  readonly #previous = new SecretSet({ forgetsOldest: false });
  readonly sets = [this.#given, this.#gained, this.#previous];

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
    return hideFrom(text, this.sets);
  }

  /** The same for the title of an option that a person chooses from. */
  hideInOption(title: string): string {
    return hideFrom(title, [this.#given, this.#gained]);
  }
}

/** The text without the secrets of any of these calls. */
export function hideSecrets(text: string, calls: readonly CallSecrets[]): string {
  return hideFrom(
    text,
    calls.flatMap((secrets) => secrets.sets),
  );
}

function hideFrom(text: string, sets: readonly SecretSet[]): string {
  if (sets.some((set) => set.isTooLarge)) return withheld;
  const shown = text.slice(0, longestText);
  if (shown.length < leastCharacters) return shown;
  const index = new IndexedText(shown, { isCut: shown.length < text.length });
  for (const set of sets) set.findIn(index);
  return index.replaceFound(mark);
}

class SecretSet {
  readonly #forgetsOldest: boolean;
  /** The oldest first. */
  readonly #known = new Map<string, KnownSecret>();
  #bytes = 0;

  constructor({ forgetsOldest }: { forgetsOldest: boolean }) {
    this.#forgetsOldest = forgetsOldest;
  }

  get isTooLarge(): boolean {
    return this.#bytes > mostBytes;
  }

  /** The secret as it is, and without what stands around it, which its user may take away. */
  add(secret: unknown): void {
    if (typeof secret !== "string") return;
    for (const value of [secret, secret.trim()]) {
      if (this.isTooLarge || value.length < leastCharacters || this.#known.has(value)) continue;
      const known = new KnownSecret(value);
      this.#known.set(value, known);
      this.#bytes += known.bytes;
      if (this.#forgetsOldest) this.#makeRoom();
    }
  }

  findIn(index: IndexedText): void {
    for (const known of this.#known.values()) known.findIn(index);
  }

  #makeRoom(): void {
    for (const [value, { bytes }] of this.#known) {
      if (!this.isTooLarge) return;
      this.#known.delete(value);
      this.#bytes -= bytes;
    }
  }
}

class KnownSecret {
  readonly bytes: number;
  readonly #beginning: string;
  readonly #isBegun: boolean;
  /** Most calls end without a text that has to be looked through. */
  #spellings: ReadonlySet<string> | undefined;

  constructor(secret: string) {
    this.#isBegun = secret.length > longestSecret;
    // Half of a surrogate pair has other spellings than the whole of it.
    const beginning = secret.slice(0, longestSecret).replace(/[\ud800-\udbff]$/, "");
    this.#beginning = this.#isBegun ? beginning : secret;
    this.bytes = Buffer.byteLength(this.#beginning);
  }

  findIn(index: IndexedText): void {
    this.#spellings ??= listSpellings(this.#beginning);
    for (const spelling of this.#spellings) index.find(spelling, { isBegun: this.#isBegun });
  }
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
