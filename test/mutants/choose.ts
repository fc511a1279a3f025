import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listChanges, type Change } from "./changes.ts";
import { findMutant, type Mutant } from "./mutant.ts";

interface Candidate {
  mutant: Mutant;
  kind: string;
}

/** What words alone are, or what no test is meant for. */
const leftOut = /\/texts\/|^src\/guides\/|\/index\.ts$|\.d\.ts$/;

/** Whose folders count each by itself. */
const hasFolders = new Set(["platform", "providers"]);

/** So many of each room, each folder of `platform` and each adapter: of other files and other kinds, as long as there are. */
export function chooseMutants(project: string, ofEach: number): Mutant[] {
  const paths = globSync("src/**/*.ts", { cwd: project }).filter((path) => !leftOut.test(path));
  const byRoom = Map.groupBy(paths.toSorted(), roomOf);
  return [...byRoom].flatMap(([, ofRoom]) => {
    const candidates = ofRoom.flatMap((path) => candidatesOf(project, path));
    return chooseFew(candidates, ofEach).map(({ mutant }) => mutant);
  });
}

function roomOf(path: string): string {
  const [, first = "", second = ""] = path.split("/");
  if (first.endsWith(".ts")) return "";
  return hasFolders.has(first) && !second.endsWith(".ts") ? `${first}/${second}` : first;
}

function candidatesOf(project: string, path: string): Candidate[] {
  const text = readFileSync(join(project, path), "utf8");
  return listChanges(path, text).flatMap((change) => {
    const mutant = toMutant(path, text, change);
    return findMutant(text, mutant) === undefined ? [] : [{ mutant, kind: change.kind }];
  });
}

/** The lines of the change. One that they do not tell apart from another place is no candidate. */
function toMutant(path: string, text: string, { start, end, text: changed }: Change): Mutant {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const to = lineEnd < 0 ? text.length : lineEnd;
  const find = text.slice(from, to);
  const replace = text.slice(from, start) + changed + text.slice(end, to);
  return { id: digest(path + find + replace).slice(0, 8), path, find, replace };
}

/** In an order of chance that stays the same as long as the code does. */
function chooseFew(candidates: readonly Candidate[], count: number): Candidate[] {
  const left = candidates.toSorted((a, b) => (digest(a.mutant.id) < digest(b.mutant.id) ? -1 : 1));
  const chosen: Candidate[] = [];
  const isNew = (one: Candidate): boolean =>
    chosen.every(({ mutant, kind }) => mutant.path !== one.mutant.path && kind !== one.kind);
  const isOfOtherFile = (one: Candidate): boolean =>
    chosen.every(({ mutant }) => mutant.path !== one.mutant.path);
  const isOther = (one: Candidate): boolean => !chosen.includes(one);
  for (const suits of [isNew, isOfOtherFile, isOther])
    for (const one of left) if (chosen.length < count && suits(one)) chosen.push(one);
  return chosen;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
