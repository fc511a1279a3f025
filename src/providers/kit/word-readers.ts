import { unreadable, type Reader } from "./reader.ts";

type Word = string | number | boolean;

/** Each word with what it means, where that is another one. */
function listWords(
  table: Readonly<Record<string, Word | null>>,
  otherwise: Word | null | undefined,
): string {
  const words = Object.entries(table).map(([word, value]) =>
    word === value ? word : `${word} = ${String(value)}`,
  );
  const other = otherwise === undefined ? "" : `; else ${String(otherwise)}`;
  return `${words.join(", ")}${other}`;
}

/**
 * The value of a word, which is compared without regard to case and to all but letters, digits and the sign of a number.
 * A word that the table lacks is `otherwise`; without it, the word cannot be read. What is no word never can.
 */
export function oneOf<const Value extends Word>(
  table: Readonly<Record<string, Value | null>>,
): Reader<Value>;
export function oneOf<const Value extends Word, const Other extends Word | null>(
  table: Readonly<Record<string, Value | null>>,
  options: { otherwise: Other },
): Reader<Value | NonNullable<Other>>;
export function oneOf(
  table: Readonly<Record<string, Word | null>>,
  { otherwise }: { otherwise?: Word | null } = {},
): Reader<Word> {
  const byWord = new Map<string, Word | null>();
  for (const [word, value] of Object.entries(table)) {
    const known = byWord.get(spell(word));
    if (known !== undefined && known !== value)
      throw new TypeError(
        `oneOf has two values for ${word}, which is told by its letters and digits`,
      );
    byWord.set(spell(word), value);
  }
  return {
    kind: `one of ${listWords(table, otherwise)}`,
    read: (value) => {
      const word = wordOf(value);
      if (word === null) return unreadable;
      const found = byWord.get(spell(word));
      if (found !== undefined) return found;
      return otherwise === undefined ? unreadable : otherwise;
    },
  };
}

/**
 * The value of the first of these words with which a word of the text begins, without regard to case: for names that
 * people give, such as `Sick leave (unpaid)`.
 */
export function wordIn<const Value extends Word>(
  table: Readonly<Record<string, Value>>,
): Reader<Value>;
export function wordIn<const Value extends Word, const Other extends Word>(
  table: Readonly<Record<string, Value>>,
  options: { otherwise: Other },
): Reader<Value | Other>;
export function wordIn(
  table: Readonly<Record<string, Word>>,
  { otherwise }: { otherwise?: Word } = {},
): Reader<Word> {
  const words = Object.entries(table);
  return {
    kind: `a text with ${listWords(table, otherwise ?? null)}`,
    read: (value) => {
      const told = wordOf(value);
      if (told === null) return unreadable;
      const written = ` ${separate(told)}`;
      const found = words.find(([word]) => written.includes(` ${separate(word)}`));
      return found?.[1] ?? otherwise ?? null;
    },
  };
}

/** Null for what is no word, such as a list. */
export function wordOf(value: unknown): string | null {
  const isWord = typeof value === "number" || typeof value === "boolean";
  return isWord ? String(value) : typeof value === "string" ? value : null;
}

function separate(written: string): string {
  return written
    .normalize()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ");
}

/** Less than nothing is another number: the sign before one stays. */
export function spell(word: string): string {
  return word
    .trim()
    .normalize()
    .toLowerCase()
    .replaceAll(/(?!^-\d)[^\p{L}\p{N}]/gu, "");
}
