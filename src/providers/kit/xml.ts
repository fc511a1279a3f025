import type { ProviderResponse } from "../../platform/outbound/index.ts";
import { ProviderBug } from "../errors.ts";
import {
  decodeText,
  defineFormat,
  mostValues,
  typeOf,
  type BodyFormat,
  type Encoded,
} from "./body-format.ts";

export interface XmlOptions extends Encoded {
  /**
   * From each element to those that come in it any number of times, such as `{ slips: "slip", slip: ["line", "tax"] }`:
   * there each is a list, also of one or none. Any other element that comes twice breaks the read.
   */
  lists?: Readonly<Record<string, string | readonly string[]>>;
  /** Elements with a text that may have attributes, too, such as `<pay currency="eur">5</pay>`: a record each. */
  records?: readonly string[];
}

type XmlRecord = Readonly<Record<string, unknown>>;

const mostDepth = 100;
const mostCharactersOfReference = 10;
const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);
const nilWords: ReadonlySet<unknown> = new Set(["true", "false", "1", "0"]);
const nameAt = /[\p{L}_:][\p{L}\p{N}\p{M}._:·-]*/uy;
const spaceAt = /[ \t\r\n]*/y;
const closingAt = /[ \t\r\n]*>/y;
const characterReference = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i;
const declaration = /^<\?xml [^>]{0,100}encoding=["']([\w.:-]{1,40})["']/;
const declarationBytes = 200;

/**
 * Answers in XML, as records like those of JSON, by the name of the outermost element: attributes have an `@` before
 * their names, an element without attributes and elements is its text, or null, and the text of another one is `#text`.
 * Prefixes of namespaces are left out. A document type, and with it every entity but the five of XML, is refused.
 */
export function xml({ lists = {}, records = [], charset }: XmlOptions = {}): BodyFormat<XmlRecord> {
  const shape = {
    lists: new Map(Object.entries(lists).map(([name, of]) => [name, [of].flat()])),
    records: new Set(records),
  };
  return defineFormat({
    name: "XML",
    accept: "application/xml, text/xml",
    fits: (answer) => typeOf(answer).includes("xml") && !typeOf(answer).includes("html"),
    read: (answer, what = "a request") => {
      const text = decodeText(answer, what, charset, declaredEncoding(answer));
      return new XmlReader(text, shape, what).read();
    },
  });
}

function declaredEncoding({ bytes }: ProviderResponse): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString("latin1");
  return declaration.exec(start)?.[1];
}

interface XmlShape {
  lists: ReadonlyMap<string, readonly string[]>;
  records: ReadonlySet<string>;
}

/** An element that is not closed yet. */
interface OpenElement {
  /** As it is written, with its prefix. */
  written: string;
  name: string;
  lists: readonly string[];
  members: Map<string, unknown>;
  texts: string[];
}

/** Goes over the text once, without recursion. */
class XmlReader {
  readonly #text: string;
  readonly #shape: XmlShape;
  readonly #what: string;
  readonly #open: OpenElement[] = [];
  readonly #root = new Map<string, unknown>();
  #at = 0;
  #values = 0;

  constructor(text: string, shape: XmlShape, what: string) {
    this.#text = text;
    this.#shape = shape;
    this.#what = what;
  }

  read(): XmlRecord {
    while (this.#at < this.#text.length) {
      this.#takeText();
      if (this.#at < this.#text.length) this.#takeMarkup();
    }
    if (this.#open.length > 0 || this.#root.size === 0) throw this.#broken("ends too early");
    return Object.fromEntries(this.#root);
  }

  #takeText(): void {
    const found = this.#text.indexOf("<", this.#at);
    const end = found === -1 ? this.#text.length : found;
    const written = this.#text.slice(this.#at, end);
    this.#at = end;
    if (written.trim() === "") return;
    this.#addText(this.#resolve(written));
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (!element) throw this.#broken("has a text outside of its elements");
    this.#count();
    element.texts.push(text);
  }

  #takeMarkup(): void {
    if (this.#isNext("<!--")) this.#takeUntil("-->");
    else if (this.#isNext("<![CDATA["))
      this.#addText(this.#takeUntil("]]>").slice("<![CDATA[".length));
    else if (this.#isNext("<?")) this.#takeUntil("?>");
    else if (this.#isNext("<!")) throw this.#broken("has a document type");
    else if (this.#isNext("</")) this.#takeClosing();
    else this.#takeOpening();
  }

  #takeOpening(): void {
    this.#at += 1;
    const written = this.#takeName();
    const name = withoutPrefix(written);
    const lists = this.#shape.lists.get(name) ?? [];
    const element: OpenElement = { written, name, lists, members: new Map(), texts: [] };
    for (const list of lists) element.members.set(list, []);
    while (this.#takeAttribute(element));
    if (this.#open.length === 0 && this.#root.size > 0)
      throw this.#broken("has two outermost elements");
    if (this.#open.length >= mostDepth)
      throw this.#broken("has too many elements inside of others");
    this.#count();
    this.#open.push(element);
    if (this.#isNext("/>")) {
      this.#at += 2;
      this.#close();
    } else if (this.#isNext(">")) this.#at += 1;
    else throw this.#broken("has a tag that does not end");
  }

  /** Whether there was one. */
  #takeAttribute({ members }: OpenElement): boolean {
    const before = this.#at;
    this.#match(spaceAt);
    if (this.#isNext("/") || this.#isNext(">") || this.#at === before) return false;
    const name = this.#takeName();
    this.#match(spaceAt);
    if (!this.#isNext("=")) throw this.#broken("has an attribute without a value");
    this.#at += 1;
    this.#match(spaceAt);
    const value = this.#takeQuoted();
    if (name === "xmlns" || name.startsWith("xmlns:")) return true;
    const key = `@${withoutPrefix(name)}`;
    if (members.has(key)) throw this.#broken("has an attribute twice");
    this.#count();
    members.set(key, value);
    return true;
  }

  #takeQuoted(): string {
    const quote = this.#text[this.#at] ?? "";
    if (quote !== '"' && quote !== "'") throw this.#broken("has an attribute without quotes");
    this.#at += 1;
    const value = this.#takeUntil(quote);
    if (value.includes("<")) throw this.#broken("has a tag within an attribute");
    return this.#resolve(value);
  }

  #takeClosing(): void {
    this.#at += 2;
    const name = this.#takeName();
    if (this.#match(closingAt) === "") throw this.#broken("has a tag that does not end");
    if (name !== this.#open.at(-1)?.written) throw this.#broken("closes what is not open");
    this.#close();
  }

  /** Puts the element that was opened last into the one around it. */
  #close(): void {
    const element = this.#open.pop();
    if (!element) return;
    const { name } = element;
    const value = this.#valueOf(element);
    const parent = this.#open.at(-1);
    if (!parent) return void this.#root.set(name, value);
    if (parent.lists.includes(name))
      return void (parent.members.get(name) as unknown[]).push(value);
    if (parent.members.has(name))
      throw this.#broken(`has more than one ${name}: it has to be named in lists`);
    parent.members.set(name, value);
  }

  #valueOf({ name, members, texts }: OpenElement): unknown {
    const text = texts.join("").trim();
    // Of XML Schema, where an element has no value: it is as empty as another one.
    if (nilWords.has(members.get("@nil"))) members.delete("@nil");
    if (members.size === 0 && !this.#shape.records.has(name)) return text === "" ? null : text;
    if (text !== "") members.set("#text", text);
    return Object.fromEntries(members);
  }

  #takeName(): string {
    const name = this.#match(nameAt);
    if (name === "") throw this.#broken("has a tag without a name");
    return name;
  }

  /** What stands before the end, which is passed over. */
  #takeUntil(end: string): string {
    const found = this.#text.indexOf(end, this.#at);
    if (found === -1) throw this.#broken("ends too early");
    const taken = this.#text.slice(this.#at, found);
    this.#at = found + end.length;
    return taken;
  }

  #isNext(written: string): boolean {
    return this.#text.startsWith(written, this.#at);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  /** With what its references stand for. */
  #resolve(written: string): string {
    const [first = "", ...others] = written.split("&");
    return first + others.map((part) => this.#resolveFirst(part)).join("");
  }

  #resolveFirst(part: string): string {
    const end = part.slice(0, mostCharactersOfReference).indexOf(";");
    const character = end === -1 ? undefined : toCharacter(part.slice(0, end));
    if (character === undefined) throw this.#broken("has an entity that is not one of XML");
    return character + part.slice(end + 1);
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > mostValues) throw this.#broken("has too many values");
  }

  #broken(why: string): ProviderBug {
    return new ProviderBug(`the XML of ${this.#what} ${why}`);
  }
}

function toCharacter(reference: string): string | undefined {
  const [, hexadecimal, decimal] = characterReference.exec(reference) ?? [];
  if (hexadecimal === undefined && decimal === undefined) return entities.get(reference);
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
