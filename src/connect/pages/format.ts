import { html, type Html } from "../../platform/html/index.ts";

/** The values of a sentence's placeholders, by their names in braces. */
export type Names = Readonly<Record<string, string | number | undefined>>;

/** Fills in a sentence. Values come from others, so each is isolated from the text around it. */
export function formatMarkup(sentence: string, names: Names): Html {
  const pieces = split(sentence, names);
  return html`${pieces.map(({ text, isName }) => (isName ? html`<bdi>${text}</bdi>` : text))}`;
}

/** The same as text without markup, for titles and attributes. */
export function formatText(sentence: string, names: Names): string {
  return split(sentence, names)
    .map(({ text }) => text)
    .join("");
}

/** A placeholder without a value stays as it is. */
function split(sentence: string, names: Names): { text: string; isName: boolean }[] {
  return sentence.split(/(\{\w+\})/).map((text) => {
    const name = /^\{\w+\}$/.test(text) ? names[text.slice(1, -1)] : undefined;
    return name === undefined
      ? { text, isName: false }
      : { text: removeDirectionMarks(String(name)), isName: true };
  });
}

/** With a mark that turns the direction of text, a name could rewrite the sentence around it. */
function removeDirectionMarks(name: string): string {
  return name.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}
