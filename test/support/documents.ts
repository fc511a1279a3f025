import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { projectDir } from "./program-environment.ts";

/** A page for readers: README.md and its neighbours, and those of docs/ and its runbooks. */
export interface Document {
  /** From the root of the project. */
  path: string;
  text: string;
}

export const documents: readonly Document[] = ["", "docs", "docs/runbooks"].flatMap((folder) =>
  readdirSync(join(projectDir, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(projectDir, path), "utf8") })),
);

export function readDocument(path: string): string {
  const found = documents.find((document) => document.path === path);
  if (!found) throw new Error(`there is no document ${path}`);
  return found.text;
}

/** The text without its blocks of code. */
export function proseOf(text: string): string {
  return text.replaceAll(/^```[^\n]*\n[\s\S]*?^```$/gm, "");
}

/** What stands in backticks within sentences and tables. */
export function inlineCodeOf(text: string): string[] {
  return [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

export function codeBlocksOf(text: string): string[] {
  return [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

/** The cells of every row of tables whose first cell begins with code, as text without its backticks. */
export function codeRowsOf(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** A relative link of a document, and why it leads nowhere. Undefined when it leads somewhere. */
export function findLinkFault(path: string, target: string): string | undefined {
  const [file = "", heading] = target.split("#");
  const linked = file === "" ? path : relative(projectDir, join(projectDir, dirname(path), file));
  if (!existsSync(join(projectDir, linked))) return `${path}: there is no ${linked}`;
  if (heading === undefined) return undefined;
  return headingsOf(readDocument(linked)).includes(heading)
    ? undefined
    : `${path}: ${linked} has no heading #${heading}`;
}

export function relativeLinksOf(text: string): string[] {
  return [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives to the headings. */
function headingsOf(text: string): string[] {
  return [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
