import { html, type Html } from "../../platform/html/index.ts";

/** What a sentence speaks of, by the words that stand in its braces. */
export type Names = Readonly<Record<string, string | number | undefined>>;

/** The sentence with its names filled in. Names come from others: each stands apart from the text around it, in whatever script it is. */
export function say(sentence: string, names: Names): Html {
  return html`${pieces(sentence, names).map((piece) => (piece.isName ? html`<bdi>${piece.text}</bdi>` : piece.text))}`;
}

/** The same as mere text, for titles and attributes. */
export function sayPlainly(sentence: string, names: Names): string {
  return pieces(sentence, names)
    .map(({ text }) => text)
    .join("");
}

/** What has no name given stays in its braces. */
function pieces(sentence: string, names: Names): { text: string; isName: boolean }[] {
  return sentence.split(/(\{\w+\})/).map((text) => {
    const name = /^\{\w+\}$/.test(text) ? names[text.slice(1, -1)] : undefined;
    return name === undefined
      ? { text, isName: false }
      : { text: withoutDirections(String(name)), isName: true };
  });
}

/** Marks that turn the direction of text could make a name rewrite the sentence around it. */
function withoutDirections(name: string): string {
  return name.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}
