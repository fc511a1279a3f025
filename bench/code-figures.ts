// npm run figures: measures the code of src and the last commits, and prints one table.
// Tests and migrations are not measured; they stand outside of src.
//
// lines                  all lines of the TypeScript files of src
// columns                the share of those lines that have more than 120 columns
// functions              declarations, expressions, methods and arrows of three lines or more; a
//                        function inside another one counts by itself, and also as lines of the
//                        outer one
// lengths                of functions and files, as the linter counts them: without blank lines and
//                        lines of comments alone
// complexity             cyclomatic: 1, and 1 for each if, loop, case, catch, ?:, &&, || and ??
// import cycles          groups of files that import each other in a circle, by types alone too
// files of a room        the files below src/<room>; the room "(src)" is src itself
// commits                of the last 50 that git log lists
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { findCycles } from "./find-cycles.ts";
import { measureFile, type FileFigures } from "./measure-file.ts";

const project = resolve(import.meta.dirname, "..");
const minFunctionLines = 3;
const maxFunctionLines = 60;
const maxComplexity = 10;
const maxFileLines = 300;
const commitCount = 50;
const maxCommitFiles = 20;

const files = globSync("src/**/*.ts", { cwd: project })
  .sort()
  .map((path) => measureFile(path, readFileSync(resolve(project, path), "utf8")));

printTable([
  ...figuresOfLines(),
  ...figuresOfFunctions(),
  ...figuresOfFiles(),
  ...figuresOfRooms(),
  ...figuresOfCommits(),
]);

type Row = [name: string, value: string];

function figuresOfLines(): Row[] {
  const lines = sum(files.map((file) => file.lines));
  return [
    ["lines of src", String(lines)],
    ["lines over 120 columns", share(sum(files.map((file) => file.longLines)), lines)],
  ];
}

function figuresOfFunctions(): Row[] {
  const functions = files
    .flatMap((file) => file.functions)
    .filter(({ lines }) => lines >= minFunctionLines);
  const lengths = functions.map(({ lines }) => lines);
  const complex = functions.filter(({ complexity }) => complexity > maxComplexity);
  return [
    [`functions of ${minFunctionLines} lines or more`, String(functions.length)],
    ["their median length", String(median(lengths))],
    ["their longest length", String(Math.max(...lengths))],
    [
      `functions over ${maxFunctionLines} lines`,
      String(lengths.filter((length) => length > maxFunctionLines).length),
    ],
    [`functions above complexity ${maxComplexity}`, share(complex.length, functions.length)],
  ];
}

function figuresOfFiles(): Row[] {
  const lengths = files.map(({ codeLines }) => codeLines);
  const cycles = findCycles(new Map(files.map(({ path, imports }) => [path, imports])));
  return [
    ["files", String(files.length)],
    [
      `files over ${maxFileLines} lines`,
      String(lengths.filter((length) => length > maxFileLines).length),
    ],
    ["their median length", String(median(lengths))],
    ["import cycles, with types", String(cycles.length)],
    ...cycles.map((paths): Row => ["a cycle", paths.join(" ")]),
  ];
}

function figuresOfRooms(): Row[] {
  const rooms = Map.groupBy(files, roomOf);
  return [...rooms].map(([room, { length }]) => [`files of ${room}`, String(length)]);
}

function figuresOfCommits(): Row[] {
  const log = execFileSync("git", ["log", `-${commitCount}`, "--format=%x00", "--name-only"], {
    cwd: project,
    encoding: "utf8",
  });
  const commits = log
    .split("\0")
    .slice(1)
    .map((text) => text.split("\n").filter((line) => line !== "").length);
  const large = commits.filter((count) => count > maxCommitFiles);
  return [[`commits of more than ${maxCommitFiles} files`, share(large.length, commits.length)]];
}

function roomOf({ path }: FileFigures): string {
  const [, room = "", ...rest] = path.split("/");
  return rest.length === 0 ? "(src)" : room;
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function printTable(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`);
  process.stdout.write(lines.join(""));
}
