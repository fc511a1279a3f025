/** An element: its attributes, its text under its own name, and the elements in it by their names. */
type MarkupElement = Record<string, unknown>;

/** A text or the value of an attribute. It stands in the element that has it. */
interface MarkupValue {
  owner: MarkupElement;
  name: string;
  spell: (text: string) => string;
}

export interface Markup {
  /** Undefined where tags are not closed as XML has them, as in many a page of HTML. */
  root: MarkupElement | undefined;
  /** The document: what stays, and between it the values. */
  pieces: readonly (string | MarkupValue)[];
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};
const entity = /&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{0,30});/gi;
/** A name, or a value without quotes. */
const longestWord = 1_000;
const emptyTags = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta"]);

/** Undefined for what is no markup. */
export function parseMarkup(body: string): Markup | undefined {
  return body.trimStart().startsWith("<") ? new MarkupParser(body).parse() : undefined;
}

/** With the values as they stand in their elements now. */
export function writeMarkup({ pieces }: Markup): string {
  return pieces
    .map((piece) =>
      typeof piece === "string" ? piece : piece.spell(String(piece.owner[piece.name])),
    )
    .join("");
}

/** A text as it stands in markup. */
export function encodeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

class MarkupParser {
  readonly #body: string;
  readonly #pieces: (string | MarkupValue)[] = [];
  readonly #top = createElement();
  readonly #open: { tag: string; element: MarkupElement }[];
  #at = 0;
  #isWhole = true;

  constructor(body: string) {
    this.#body = body;
    this.#open = [{ tag: "", element: this.#top }];
  }

  parse(): Markup {
    while (this.#at < this.#body.length) this.#step();
    const isWhole = this.#isWhole && this.#open.length === 1;
    return { root: isWhole ? collapse(this.#top) : undefined, pieces: this.#pieces };
  }

  #step(): void {
    const rest = this.#body.slice(this.#at, this.#at + 9);
    if (rest.startsWith("<!--")) this.#comment();
    else if (rest.startsWith("<![CDATA[")) this.#cdata();
    else if (rest.startsWith("<?") || rest.startsWith("<!")) this.#keep(this.#take(">"));
    else if (rest.startsWith("</")) this.#close(this.#take(">"));
    else if (/^<[\p{L}_]/u.test(rest)) this.#tag();
    else this.#text();
  }

  #keep(text: string): void {
    this.#pieces.push(text);
  }

  /** Up to the end, which is a part of it. */
  #take(end: string): string {
    const found = this.#body.indexOf(end, this.#at);
    const to = found < 0 ? this.#body.length : found + end.length;
    const text = this.#body.slice(this.#at, to);
    this.#at = to;
    return text;
  }

  /** What a comment says is no part of an answer. */
  #comment(): void {
    this.#take("-->");
    this.#keep("<!---->");
  }

  #cdata(): void {
    const text = this.#take("]]>").slice("<![CDATA[".length, -"]]>".length);
    this.#keep("<![CDATA[");
    this.#value(this.#tagName(), text, (made) => made);
    this.#keep("]]>");
  }

  #text(): void {
    const next = this.#body.indexOf("<", this.#at + 1);
    const text = this.#body.slice(this.#at, next < 0 ? undefined : next);
    this.#at += text.length;
    const inner = text.trim();
    if (inner === "") return this.#keep(text);
    const start = text.indexOf(inner);
    this.#keep(text.slice(0, start));
    this.#spelled(this.#tagName(), inner, encodeMarkup);
    this.#keep(text.slice(start + inner.length));
  }

  /** An entity that only the system knows stays between the texts beside it. */
  #spelled(name: string, text: string, encode: (text: string) => string): void {
    let from = 0;
    for (const { 0: found, 1: code = "", index } of text.matchAll(entity)) {
      if (decodeEntity(code) !== undefined) continue;
      this.#part(name, text.slice(from, index), encode);
      this.#keep(found);
      from = index + found.length;
    }
    this.#part(name, text.slice(from), encode);
  }

  #part(name: string, text: string, encode: (text: string) => string): void {
    if (text === "") return;
    const decoded = text.replaceAll(entity, (_found, code: string) => decodeEntity(code) ?? "");
    this.#value(name, decoded, encode);
  }

  #value(name: string, text: string, spell: (text: string) => string): void {
    const { element } = this.#inner;
    let own = name;
    for (let count = 2; own in element; count += 1) own = `${name}.${count}`;
    element[own] = text;
    this.#pieces.push({ owner: element, name: own, spell });
  }

  #tagName(): string {
    return this.#inner.tag || "text";
  }

  get #inner(): { tag: string; element: MarkupElement } {
    return this.#open.at(-1) ?? { tag: "", element: this.#top };
  }

  #tag(): void {
    const [start = "", tag = ""] = /^<([^\s/>]+)/.exec(this.#rest()) ?? [];
    this.#at += start.length;
    this.#keep(start);
    const element = createElement();
    const parent = this.#inner.element;
    const key = tag in parent && !Array.isArray(parent[tag]) ? `${tag}.list` : tag;
    const siblings = (parent[key] ??= []) as MarkupElement[];
    siblings.push(element);
    this.#open.push({ tag, element });
    const isEmpty = this.#attributes();
    if (isEmpty || emptyTags.has(tag.toLowerCase())) this.#open.pop();
  }

  /** Returns whether the tag closes itself. */
  #attributes(): boolean {
    for (;;) {
      const end = this.#body.indexOf(">", this.#at);
      const before = this.#body.slice(this.#at, end < 0 ? undefined : end);
      const equals = before.indexOf("=");
      if (equals < 0) break;
      const name = before.slice(0, equals).trim().split(/\s/).at(-1) ?? "";
      this.#at += equals + 1;
      this.#keep(before.slice(0, equals + 1) + this.#takeSpaces());
      this.#attribute(name);
    }
    const ending = this.#take(">");
    this.#keep(ending);
    return ending.endsWith("/>");
  }

  /** HTML has some without quotes, which end at a space. */
  #attribute(name: string): void {
    const quote = this.#body.charAt(this.#at);
    if (quote === '"' || quote === "'") {
      this.#at += 1;
      this.#keep(quote);
      const value = this.#take(quote);
      this.#spelled(name, value.slice(0, -1), (text) => quoteMarkup(text, quote));
      return this.#keep(quote);
    }
    const [value = ""] = /^[^\s>]*/.exec(this.#rest()) ?? [];
    this.#at += value.length;
    this.#spelled(name, value, encodeMarkup);
  }

  #takeSpaces(): string {
    const [spaces = ""] = /^\s*/.exec(this.#rest()) ?? [];
    this.#at += spaces.length;
    return spaces;
  }

  #rest(): string {
    return this.#body.slice(this.#at, this.#at + longestWord);
  }

  #close(text: string): void {
    this.#keep(text);
    const tag = text.slice(2, -1).trim();
    if (this.#open.length > 1 && this.#inner.tag === tag) this.#open.pop();
    else this.#isWhole = false;
  }
}

/** Names of a document are no names of JavaScript's. */
function createElement(): MarkupElement {
  return Object.create(null) as MarkupElement;
}

function quoteMarkup(text: string, quote: string): string {
  return encodeMarkup(text).replaceAll(quote, quote === '"' ? "&quot;" : "&apos;");
}

function decodeEntity(code: string): string | undefined {
  if (!code.startsWith("#")) return named[code];
  const number = /^#x/i.test(code) ? parseInt(code.slice(2), 16) : Number(code.slice(1));
  return number > 0 && number <= 0x10_ff_ff ? String.fromCodePoint(number) : undefined;
}

/** An element that stands alone is no list. */
function collapse(element: MarkupElement): MarkupElement {
  for (const [name, inner] of Object.entries(element)) {
    if (!Array.isArray(inner)) continue;
    const elements = inner.map((one) => collapse(one as MarkupElement));
    element[name] = elements.length === 1 ? elements[0] : elements;
  }
  return element;
}
