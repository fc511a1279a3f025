import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { committedRuns, type Row, type Run } from "./figures.ts";
import { isMissed, tellTarget } from "./report.ts";
import { tellSizing } from "./sizing.ts";

const page = join(import.meta.dirname, "../docs/performance.md");
const places = {
  figures: tableOf,
  sizing: (runs: readonly Run[]) => runs.map(tellSizing).findLast(Boolean) ?? "",
};

/** Puts the tables of the last runs into docs/performance.md. */
export function writePage(): void {
  writeFileSync(page, withFigures(readFileSync(page, "utf8"), committedRuns()));
}

/** The page with the tables of these runs in place of those it has, which stay while there is none. */
export function withFigures(text: string, runs: readonly Run[]): string {
  if (runs.length === 0) return text;
  return Object.entries(places).reduce((page, [name, tell]) => {
    const begin = `<!-- ${name}: made by npm run bench -- --keep -->\n`;
    const [before, after] = [page.indexOf(begin), page.indexOf(`<!-- end of ${name} -->`)];
    if (before === -1 || after === -1) throw new Error(`the page has no place for its ${name}`);
    return `${page.slice(0, before + begin.length)}${tell(runs)}${page.slice(after)}`;
  }, text);
}

function tableOf(runs: readonly Run[]): string {
  const names = [...new Set(runs.flatMap(({ rows }) => Object.keys(rows)))];
  const missed = names.filter((name) =>
    runs.some(({ rows }) => rows[name] && isMissed(rows[name])),
  );
  const days = runs.map(({ at, machine }) => `- ${at}: ${machine}`);
  return [
    `${names.length} rows, of which ${missed.length} miss their target in one run or both:`,
    "",
    ...days,
    "",
    `| what | ${runs.map(() => "ratio | spread").join(" | ")} | target | ours / reference, us |`,
    `|---|${"---|---|".repeat(runs.length)}---|---|`,
    ...names.map((name) => lineOf(name, runs, missed.includes(name))),
    "",
  ].join("\n");
}

function lineOf(name: string, runs: readonly Run[], misses: boolean): string {
  const rows = runs.map((run) => run.rows[name]);
  const last = rows.findLast((row) => row !== undefined);
  const cells = rows.flatMap((row) => [String(row?.ratio ?? ""), row ? spreadOf(row) : ""]);
  const target = last ? tellTarget(last) : "";
  const us = last?.us ? `${last.us.ours} / ${last.us.reference}` : "";
  return `| ${[name, ...cells, misses ? `${target} (missed)` : target, us].join(" | ")} |`;
}

function spreadOf({ low, high }: Row): string {
  return `${low}–${high}`;
}
