import { createHmac } from "node:crypto";

/** What is secret about one recording: without it, nothing leads from what is made up to what was there. */
export interface Disguise {
  /** 32 bytes. */
  key: Uint8Array;
  /** By how many days all dates are shifted: whole weeks, so that weekdays stay. */
  days: number;
  /** By what amounts are multiplied. */
  factor: number;
}

const weeksOfThreeYears = 156;
const daysOfWeek = 7;
const accented = "àéîöüñçåøß";
const ascii = /^[A-Za-z]$/;
const digits = /^\d$/;
const letters = /^\p{L}$/u;

export function createDisguise(key: Uint8Array): Disguise {
  const bytes = createHmac("sha256", key).update("disguise").digest();
  const weeks = 1 + (bytes.readUInt32BE(0) % weeksOfThreeYears);
  // Between a half and two, and never near to one.
  const part = bytes.readUInt32BE(4) / 2 ** 32;
  const factor = bytes.readUInt8(8) % 2 === 0 ? 0.5 + part * 0.4 : 1.15 + part * 0.85;
  return { key, days: -weeks * daysOfWeek, factor };
}

/**
 * A text of the same shape: the same text becomes the same one, so that what was equal stays equal. Another `variant` is
 * for one that is taken.
 */
export function makeUp(text: string, { key }: Pick<Disguise, "key">, variant = 0): string {
  const stream = streamOf(key, `${variant}\0${text}`);
  return Array.from(text, (character) => another(character, stream)).join("");
}

function another(character: string, next: () => number): string {
  if (digits.test(character)) return String(next() % 10);
  if (!letters.test(character)) return character;
  const isLower = character === character.toLowerCase();
  const made = ascii.test(character) ? letterOf(next()) : accented.charAt(next() % 10);
  return isLower ? made : made.toUpperCase().slice(0, 1);
}

function letterOf(value: number): string {
  return String.fromCodePoint("a".charCodeAt(0) + (value % 26));
}

/** Bytes that follow from the key and the text alone. */
function streamOf(key: Uint8Array, text: string): () => number {
  let block = Buffer.alloc(0);
  let at = 0;
  let count = 0;
  return () => {
    if (at === block.length) {
      block = createHmac("sha256", key).update(`${count}\0${text}`).digest();
      count += 1;
      at = 0;
    }
    at += 1;
    return block.readUInt8(at - 1);
  };
}
