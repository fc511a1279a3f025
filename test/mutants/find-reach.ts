import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { changeInCopy, copyFolder, prepareCopy, restoreCopy, workFolder } from "./copy.ts";
import { findMutant, type Mutant } from "./mutant.ts";
import { runTests } from "./run-tests.ts";

/**
 * Which test files come to the lines of each mutant, the quickest first. Of a line that runs when its module is loaded, or
 * in a process alone that may not write, all that could: those of its room, and of whole processes.
 */
export type Reach = Record<string, string[]>;

const notesFolder = join(workFolder, "notes");
/** It says by a call that its place was reached. A process that may not write says nothing. */
const noteModule = (folder: string): string => `
import { appendFileSync } from "node:fs";
const noted = new Set();
globalThis.noteMutant = (id) => {
  const file = globalThis.__vitest_worker__?.filepath ?? process.env["MUTANT_TEST_FILE"];
  const line = \`\${id} \${file}\\n\`;
  if (file === undefined || noted.has(line)) return true;
  noted.add(line);
  try {
    appendFileSync(\`${folder}/\${process.pid}\`, line);
  } catch {}
  return true;
};
`;

/** Runs the tests of these projects once, with a note at each mutant's place. What was found before is read again. */
export async function findReach(mutants: readonly Mutant[], projects: string): Promise<Reach> {
  const reachFile = join(workFolder, `reach of ${projects.replace("*", "")}.json`);
  const known = readReach(reachFile);
  if (mutants.every(({ id }) => known[id])) return known;
  prepareCopy();
  rmSync(notesFolder, { recursive: true, force: true });
  mkdirSync(notesFolder);
  writeFileSync(join(copyFolder, "src/note-mutant.mjs"), noteModule(notesFolder));
  for (const [path, ofFile] of Map.groupBy(mutants, (mutant) => mutant.path))
    changeInCopy(path, (text) => noteIn(path, text, ofFile));
  changeInCopy("test/support/program-environment.ts", (text) =>
    text.replace(
      "    TERM: ",
      `    MUTANT_TEST_FILE: (globalThis as { __vitest_worker__?: { filepath?: string } }).__vitest_worker__?.filepath ?? "",\n    TERM: `,
    ),
  );
  const { secondsOf } = await runTests([], ["--project", projects]);
  const reach = readNotes(mutants, secondsOf);
  writeFileSync(reachFile, JSON.stringify(reach, null, 2));
  restoreCopy();
  return reach;
}

function readReach(reachFile: string): Reach {
  try {
    return JSON.parse(readFileSync(reachFile, "utf8")) as Reach;
  } catch {
    return {};
  }
}

function readNotes(mutants: readonly Mutant[], secondsOf: ReadonlyMap<string, number>): Reach {
  const lines = new Set<string>();
  for (const name of ts.sys.readDirectory(notesFolder))
    for (const line of readFileSync(name, "utf8").split("\n")) lines.add(line);
  const seconds = (file: string): number => secondsOf.get(file) ?? 0;
  const reach = mutants.map(({ id, path }): [string, string[]] => {
    const noted = [...lines]
      .filter((line) => line.startsWith(`${id} `))
      .map((line) => relative(copyFolder, line.slice(id.length + 1)));
    const folders = ["test/process/", `test/${path.split("/")[1]}`];
    const near = [...secondsOf.keys()].filter((file) => folders.some((at) => file.startsWith(at)));
    const files = noted.length > 0 ? noted : near;
    return [id, files.toSorted((a, b) => seconds(a) - seconds(b))];
  });
  return Object.fromEntries(reach);
}

/**
 * The file with a note before the statement, or in front of the expression, that holds each mutant. What runs when the
 * module is loaded has none: the files of a worker share their modules.
 */
function noteIn(path: string, text: string, mutants: readonly Mutant[]): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const inserts = mutants.flatMap((mutant) => {
    const start = findMutant(text, mutant);
    if (start === undefined) return [];
    const indent = mutant.find.length - mutant.find.trimStart().length;
    return insertsFor(file, mutant.id, start + indent);
  });
  const changed = inserts
    .toSorted((a, b) => b.at - a.at)
    .reduce((all, { at, text: note }) => all.slice(0, at) + note + all.slice(at), text);
  const up = "../".repeat(path.split("/").length - 2) || "./";
  return `import "${up}note-mutant.mjs";\n${changed}`;
}

function insertsFor(file: ts.SourceFile, id: string, at: number): { at: number; text: string }[] {
  const call = `globalThis.noteMutant("${id}")`;
  for (let node = innermost(file, at); ; node = node.parent) {
    const { parent } = node;
    if (!parent) return [];
    if (ts.isArrowFunction(parent) && parent.body === node && !ts.isBlock(node))
      return [
        { at: node.getStart(file), text: `(${call}, (` },
        { at: node.getEnd(), text: "))" },
      ];
    if (ts.isStatement(node) && (ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent)))
      return [{ at: node.getStart(file), text: `${call}; ` }];
  }
}

function innermost(node: ts.Node, at: number): ts.Node {
  const child = ts.forEachChild(node, (each) =>
    each.pos <= at && at < each.end ? each : undefined,
  );
  return child ? innermost(child, at) : node;
}
