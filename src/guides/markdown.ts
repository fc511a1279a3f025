import MarkdownIt, { type Token } from "markdown-it";
import { html, trustMarkup, type Html } from "../platform/html/index.ts";
import { HeadingSlugs } from "./heading-slugs.ts";
import { highlight } from "./highlight.ts";

interface Heading {
  slug: string;
  title: string;
  level: number;
}

/** A part of a document below one heading, as text to search in. */
export interface Section extends Heading {
  text: string;
}

export interface RenderedMarkdown {
  body: Html;
  title: string;
  sections: readonly Section[];
}

/** Returns the address of a link, or undefined for a link of which only the text is shown. */
export type ResolveLink = (target: string) => string | undefined;

/** Markup in the text stays text. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.renderer.rules["table_open"] = () => '<div class="table" tabindex="0"><table>\n';
markdown.renderer.rules["table_close"] = () => "</table></div>\n";
markdown.renderer.rules["fence"] = (tokens, index) => renderFence(tokens[index]);

export function renderMarkdown(text: string, resolveLink: ResolveLink): RenderedMarkdown {
  const tokens = markdown.parse(text, {});
  for (const { children } of tokens) if (children) resolveLinks(children, resolveLink);
  const sections = divide(tokens);
  labelCells(tokens);
  return {
    body: trustMarkup(markdown.renderer.render(tokens, markdown.options, {})),
    title: sections.find(({ level }) => level === 1)?.title ?? "",
    sections,
  };
}

/** Of a sentence or two, such as the description of an operation. */
export function renderText(text: string, resolveLink: ResolveLink): Html {
  return renderMarkdown(text, resolveLink).body;
}

/** Of a few words within a line. */
export function renderWords(text: string): Html {
  return trustMarkup(markdown.renderInline(text));
}

function renderFence(token: Token | undefined): string {
  const [language = ""] = token?.info.split(/\s/, 1) ?? [];
  const code = highlight(token?.content ?? "", language === "sh" ? "bash" : language);
  const kind = language === "text" && html` class="output"`;
  return html`<pre tabindex="0"${kind}><code>${code}</code></pre>
`.toString();
}

function resolveLinks(children: Token[], resolveLink: ResolveLink): void {
  const removed = new Set<Token>();
  const open: boolean[] = [];
  for (const token of children) {
    if (token.type === "link_open") {
      const address = resolveLink(String(token.attrGet("href") ?? ""));
      open.push(address !== undefined);
      if (address === undefined) removed.add(token);
      else token.attrSet("href", address);
    }
    if (token.type === "link_close" && open.pop() === false) removed.add(token);
  }
  children.splice(0, children.length, ...children.filter((token) => !removed.has(token)));
}

/** Gives each cell behind the first the title of its column, which stands before it where rows are stacked. */
function labelCells(tokens: readonly Token[]): void {
  let titles: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "thead_open") titles = [];
    if (token.type === "tr_open") column = 0;
    if (token.type === "th_open") titles.push(textOf(tokens[index + 1]));
    if (token.type !== "td_open") continue;
    const title = titles[column];
    if (column > 0 && title) token.attrSet("data-label", title);
    column += 1;
  }
}

/** Gives every heading its anchor, and gathers the text below it. */
function divide(tokens: readonly Token[]): Section[] {
  const slugs = new HeadingSlugs();
  const sections: Section[] = [];
  let texts: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const content = tokens[index + 1];
      const title = textOf(content);
      const slug = slugs.next(title);
      const level = Number(token.tag.slice(1));
      token.attrSet("id", slug);
      if (level > 1 && content?.children) linkToItself(content.children, slug);
      texts = [];
      sections.push({ slug, title, level, text: "" });
    } else if (tokens[index - 1]?.type !== "heading_open" && token.content !== "") {
      texts.push(
        token.type === "inline" ? textWithCodeOf(token) : token.content.replaceAll("`", ""),
      );
    }
    const current = sections.at(-1);
    if (current) current.text = texts.join(" ").replaceAll(/\s+/g, " ");
  }
  return sections;
}

function textOf(token: Token | undefined): string {
  return (token?.children ?? []).map(({ content }) => content).join("");
}

/** With code in backticks, as the search shows it. */
function textWithCodeOf({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => {
      if (type === "softbreak") return " ";
      const bare = content.replaceAll("`", "");
      return type === "code_inline" ? `\`${bare}\`` : bare;
    })
    .join("");
}

function linkToItself(children: Token[], slug: string): void {
  if (children.some(({ type }) => type === "link_open")) return;
  const [open, text, close] = markdown.parseInline(`[x](#${slug})`, {})[0]?.children ?? [];
  if (!open || !text || !close) return;
  children.unshift(open);
  children.push(close);
}
