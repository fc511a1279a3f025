/** Markup that is safe to send. Only the `html` tag below makes it. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  static fromTemplate(strings: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(
      strings.reduce((markup, text, index) => markup + toMarkup(values[index - 1]) + text),
    );
  }

  toString(): string {
    return this.#markup;
  }
}

/** Text and numbers are escaped; markup is taken as it is; nothing at all is empty. */
export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[];

/**
 * A template whose values are escaped by construction. Attribute values have to stand in double quotes; the text of the
 * template itself is ours.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return Html.fromTemplate(strings, values);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function toMarkup(value: HtmlValue): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(toMarkup).join("");
  if (value === null || value === undefined || value === false) return "";
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
