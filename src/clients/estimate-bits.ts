/** The alphabets that secrets are made of, the smallest first. */
const alphabets: readonly [characters: RegExp, size: number][] = [
  [/^[0-9]*$/, 10],
  [/^(?:[0-9a-f]*|[0-9A-F]*)$/, 16],
  [/^(?:[a-z]*|[A-Z]*)$/, 26],
  [/^(?:[0-9a-z]*|[0-9A-Z]*)$/, 36],
  [/^[a-zA-Z]*$/, 52],
  [/^[0-9a-zA-Z]*$/, 62],
  [/^(?:[0-9a-zA-Z+/=]*|[0-9a-zA-Z_-]*)$/, 64],
];
const printable = 94;

/** Fewer different characters than this do not show an alphabet: they count as one of their own. */
const fewCharacters = 10;

/** At most how many random bits a text can hold. A text that repeats itself counts once. */
export function estimateBits(text: string): number {
  const block = text.slice(0, (text + text).indexOf(text, 1));
  const different = new Set(block).size;
  const alphabet = alphabets.find(([characters]) => characters.test(block))?.[1] ?? printable;
  return block.length * Math.log2(different < fewCharacters ? different : alphabet);
}
