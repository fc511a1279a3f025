import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { FixedDocument } from "../platform/http/index.ts";
import type { Html } from "../platform/html/index.ts";
import { addressOf, audienceOf, guides, pictures, type Guide } from "./catalog.ts";
import { adaptText, linkToDocuments, type ReadService } from "./guide-text.ts";
import type { RenderedMarkdown, ResolveLink } from "./markdown.ts";
import { guidePage } from "./pages/guide-page.ts";
import type { Site } from "./pages/layout.ts";
import { operationPage } from "./pages/operation-page.ts";
import {
  guidesPage,
  missingPage,
  referencePage,
  searchPage,
  titlesOfAudiences,
} from "./pages/overview-pages.ts";
import type { ApiDocument } from "./reference/api-document.ts";
import {
  addressOfOperation,
  groupOperations,
  titleOfTag,
  type Operation,
  type OperationGroup,
} from "./reference/operations.ts";
import { fieldsOf, type Field } from "./reference/fields.ts";
import { listForPrograms } from "./list-for-programs.ts";
import { navigationOf } from "./navigation.ts";
import { SearchIndex, type SearchEntry, type SearchResult } from "./search-index.ts";

export interface LibraryOptions extends ReadService {
  /** Undefined when nobody is named. */
  operatorName: string | undefined;
  readDescription: () => ApiDocument;
}

type SearchHit = Pick<SearchEntry, "address" | "title" | "place"> & { audience: string };

const mostHits = 8;
const projectDir = resolve(import.meta.dirname, "../..");
const pageType = "text/html; charset=utf-8";
/** Where the list of the documents for programs is. */
const listAddress = "/llms.txt";

/** Makes each page when it is first asked for, and keeps it. What makes them is not loaded before. */
export class Library {
  readonly #options: LibraryOptions;
  readonly #pages = new Map<string, Promise<FixedDocument>>();
  readonly #rendered = new Map<Guide, Promise<RenderedMarkdown>>();
  #described: { document: ApiDocument; groups: readonly OperationGroup[]; site: Site } | undefined;
  #index: Promise<SearchIndex> | undefined;

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /** Undefined when there is no page at the address. */
  async find(address: string): Promise<FixedDocument | undefined> {
    const known = this.#pages.get(address);
    if (known) return await known;
    const make = this.#makerOf(address) ?? this.#textOf(address) ?? pictureAt(address);
    if (!make) return undefined;
    const made = make().then((content) => toDocument(address, content));
    this.#pages.set(address, made);
    made.catch(() => this.#pages.delete(address));
    return await made;
  }

  async search(query: string): Promise<Html> {
    return searchPage(this.#site, query, await this.#find(query));
  }

  /** For the list below the field. */
  async findHits(query: string): Promise<SearchHit[]> {
    const found = await this.#find(query, mostHits);
    return found.map(({ entry: { address, title, place, audience } }) => ({
      address,
      title,
      place,
      audience: titlesOfAudiences[audience],
    }));
  }

  async #find(query: string, most?: number): Promise<SearchResult[]> {
    if (query === "") return [];
    this.#index ??= this.#buildIndex();
    this.#index.catch(() => (this.#index = undefined));
    return (await this.#index).find(query, most);
  }

  renderMissing(): Html {
    return missingPage(this.#site);
  }

  #makerOf(address: string): (() => Promise<Html>) | undefined {
    if (address === "/docs") return async () => guidesPage(this.#site);
    if (address === "/docs/reference") return () => this.#makeReference();
    const guide = guides.find((candidate) => addressOf(candidate) === address);
    if (guide) return async () => guidePage(this.#site, guide, await this.#render(guide));
    const operation = this.#operations.find(
      (candidate) => addressOfOperation(candidate) === address,
    );
    return operation && (() => this.#makeOperation(operation));
  }

  /** What programs read: the text of a guide, and the list of all. */
  #textOf(address: string): (() => Promise<string>) | undefined {
    const { baseUrl, operatorName } = this.#options;
    if (address === listAddress) return async () => listForPrograms(operatorName, baseUrl);
    const guide = guides.find((candidate) => `${addressOf(candidate)}.md` === address);
    if (!guide) return undefined;
    return async () =>
      linkToDocuments(await readGuide(guide, this.#options), (target) =>
        resolveLink(guide, target),
      );
  }

  async #makeReference(): Promise<Html> {
    const { renderText, renderWords } = await import("./markdown.ts");
    const { groups, document, site } = this.#description;
    const description = renderText(document.info.description ?? "", keepLink);
    return referencePage(site, groups, { description, renderWords });
  }

  async #makeOperation(operation: Operation): Promise<Html> {
    const [{ renderText, renderWords }, { highlight }] = await Promise.all([
      import("./markdown.ts"),
      import("./highlight.ts"),
    ]);
    const { document, site } = this.#description;
    return operationPage(site, operation, {
      document,
      isLocal: this.#options.isLocal,
      highlight,
      renderWords,
      renderText: (text) => renderText(text, keepLink),
    });
  }

  async #render(guide: Guide): Promise<RenderedMarkdown> {
    const known = this.#rendered.get(guide) ?? renderGuide(guide, this.#options);
    this.#rendered.set(guide, known);
    known.catch(() => this.#rendered.delete(guide));
    return await known;
  }

  /** One document after the other, so that other requests have their turn in between. */
  async #buildIndex(): Promise<SearchIndex> {
    const entries: SearchEntry[] = [];
    for (const guide of guides) entries.push(...entriesOfGuide(guide, await this.#render(guide)));
    const { document } = this.#description;
    entries.push(...this.#operations.map((operation) => entryOf(operation, document)));
    return await SearchIndex.build(entries);
  }

  get #description() {
    if (this.#described) return this.#described;
    const document = this.#options.readDescription();
    const groups = groupOperations(document);
    const { operatorName } = this.#options;
    const site = { operatorName, navigation: navigationOf(groups) };
    this.#described = { document, groups, site };
    return this.#described;
  }

  get #site(): Site {
    return this.#description.site;
  }

  get #operations(): readonly Operation[] {
    return this.#description.groups.flatMap(({ operations }) => operations);
  }
}

const keepLink: ResolveLink = (target) => target;

async function readGuide({ file }: Guide, service: ReadService): Promise<string> {
  return adaptText(await readFile(join(projectDir, file), "utf8"), service);
}

function pictureAt(address: string): (() => Promise<Buffer>) | undefined {
  const file = pictures.get(address);
  return file && (() => readFile(file));
}

function toDocument(address: string, content: Html | string | Buffer): FixedDocument {
  if (typeof content === "string")
    return new FixedDocument({ type: textTypeOf(address), bytes: content });
  return Buffer.isBuffer(content)
    ? new FixedDocument({ type: "image/png", bytes: content })
    : new FixedDocument({ type: pageType, bytes: content.toString() });
}

function textTypeOf(address: string): string {
  return `text/${address.endsWith(".md") ? "markdown" : "plain"}; charset=utf-8`;
}

async function renderGuide(guide: Guide, service: ReadService): Promise<RenderedMarkdown> {
  const [text, { renderMarkdown }] = await Promise.all([
    readGuide(guide, service),
    import("./markdown.ts"),
  ]);
  return renderMarkdown(text, (target) => resolveLink(guide, target));
}

/** A link to another document leads to its page. Files that are not served have no address. */
function resolveLink({ file }: Guide, target: string): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
  const [path = "", heading] = target.split("#");
  const linked = join(dirname(file), path);
  const guide = guides.find((candidate) => candidate.file === linked);
  return guide && `${addressOf(guide)}${heading === undefined ? "" : `#${heading}`}`;
}

function entriesOfGuide(guide: Guide, { sections }: RenderedMarkdown): SearchEntry[] {
  return sections.map(({ slug, title, level, text }) => ({
    address: level === 1 ? addressOf(guide) : `${addressOf(guide)}#${slug}`,
    title,
    place: guide.title,
    text,
    audience: audienceOf(guide),
  }));
}

function entryOf(operation: Operation, document: ApiDocument): SearchEntry {
  const { described, method, path, title, tag, id } = operation;
  const bodies = [described.requestBody, ...Object.values(described.responses)];
  const fields = bodies.flatMap((body) =>
    Object.values(body?.content ?? {}).flatMap(({ schema = {} }) =>
      namesOf(fieldsOf(schema, document)),
    ),
  );
  const parameters = (described.parameters ?? []).map(
    ({ name, description = "" }) => `${name} ${description}`,
  );
  return {
    address: addressOfOperation(operation),
    title,
    place: titleOfTag(tag),
    audience: "reference",
    text: [method, path, id, described.description ?? "", ...parameters, ...new Set(fields)].join(
      " ",
    ),
  };
}

function namesOf(fields: readonly Field[]): string[] {
  return fields.flatMap(({ name, fields: inner }) => [name, ...namesOf(inner)]);
}
