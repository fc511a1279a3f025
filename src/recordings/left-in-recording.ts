import { encodeMarkup } from "./markup.ts";
import type { Recording } from "./recording.ts";

/** An original value is left in what was to be written. */
export class LeftInRecording extends Error {
  constructor(places: readonly string[]) {
    super(
      `the recording was not written, because a value of the system is left in it: ${places.join(", ")}`,
    );
    this.name = "LeftInRecording";
  }
}

const shortestLeak = 6;
const partOfWord = /[\p{L}\p{N}_]/u;

/**
 * Throws LeftInRecording for a value of six characters or more that is still somewhere. `replaced` has each original
 * value with the place where it first stood.
 */
export function refuseLeft(recording: Recording, replaced: ReadonlyMap<string, string>): void {
  const written = JSON.stringify(recording);
  const known = new Set<string>();
  for (let at = 0; at + shortestLeak <= written.length; at += 1)
    known.add(written.slice(at, at + shortestLeak));
  const places = new Set<string>();
  for (const [text, place] of replaced) {
    const isLeft = spellingsOf(text).some((spelled) => {
      const mayBeLeft = spelled.length >= shortestLeak && known.has(spelled.slice(0, shortestLeak));
      return mayBeLeft && hasWord(written, spelled);
    });
    if (isLeft) places.add(place);
  }
  if (places.size > 0) throw new LeftInRecording([...places]);
}

/** As JSON has it, also around markup. */
function spellingsOf(text: string): string[] {
  const spellings = new Set([text, encodeMarkup(text)]);
  return [...spellings].map((one) => JSON.stringify(one).slice(1, -1));
}

/** Whether the text stands there, and not as a part of a longer word. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + word.length]];
    if (!partOfWord.test(before) && !partOfWord.test(after)) return true;
  }
  return false;
}
