import { styleText } from "node:util";
import type { DeclaredRecipe } from "../providers/index.ts";
import { wrapWords } from "./table-layout.ts";

const longestLine = 100;

/** Where a person finds what the form asks for, as the page of the sign-in has it, without its drawings. */
export function formatRecipe(
  { title, steps, rights = [], ending = [] }: DeclaredRecipe,
  terminalWidth = longestLine,
): string {
  // A terminal that does not know its width says 0.
  const width = terminalWidth > 0 ? Math.min(terminalWidth, longestLine) : longestLine;
  const parts = [
    [title, steps.map(({ text }, index) => formatItem(`${index + 1}.`, text, width))],
    ["Rights", rights.map((text) => formatItem("-", text, width))],
    ["To end it later", ending.map((text) => formatItem("-", text, width))],
  ] as const;
  return parts
    .filter(([, items]) => items.length > 0)
    .map(([heading, items]) => `${styleText("bold", heading)}\n${items.join("\n")}\n`)
    .join("");
}

function formatItem(sign: string, text: string, width: number): string {
  const start = `  ${sign} `;
  const lines = wrapWords(text, width - start.length);
  return `${start}${lines.join(`\n${" ".repeat(start.length)}`)}`;
}
