/** Markup that is safe to send. Only the `html` tag below creates it. */
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

/** Text and numbers are escaped, markup is inserted as it is, and absent values insert nothing. */
export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[];

/**
 * A template that escapes all its values. In the template, attribute values must be in double quotes. The
 * text of the template itself is not escaped.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return Html.fromTemplate(strings, values);
}

/** Markup that another renderer made, which escapes what it is given, too. */
export function trustMarkup(markup: string): Html {
  return Html.fromTemplate([markup], []);
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
