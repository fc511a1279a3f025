import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { findBacktracking } from "./support/backtracking.ts";

// A pattern that backtracks lets a page of 300 kB stop the process for seconds. So no pattern of src does,
// except for those that never see a long text of somebody else.

const project = resolve(import.meta.dirname, "..");
const exceptions: Record<string, string> = {
  "src/platform/http/request-headers.ts /^bearer(?: +(.*))?$/i":
    "A header has no line break, so the rest of it always matches.",
  "src/platform/http/unknown-routes.ts new RegExp":
    "It is made of our own routes, whose parts end at a slash.",
  "src/platform/plain-text.ts new RegExp":
    "It is made of constants. What it repeats are marks beside a joiner, and no joiner is such a mark.",
  "src/platform/queue/backend.ts /^maxmemory_policy:(\\S+)/m": "The operator's own Redis sends it.",
};

test("no pattern of src needs more than linear time", () => {
  const patterns = globSync("src/**/*.ts", { cwd: project }).flatMap(listPatterns);
  expect(patterns.length).toBeGreaterThan(60);
  const found = patterns.flatMap(({ file, line, text, source, flags }) => {
    const reason =
      source === null ? "it is built while the program runs" : findBacktracking(source, flags);
    return reason === null
      ? []
      : [{ name: `${file} ${text}`, problem: `${file}:${line}: ${text}: ${reason}` }];
  });
  expect(
    found.filter(({ name }) => !(name in exceptions)).map(({ problem }) => problem),
    "write a pattern that cannot backtrack, or search with indexOf",
  ).toEqual([]);
  const needed = new Set(found.map(({ name }) => name));
  expect(Object.keys(exceptions).filter((name) => !needed.has(name))).toEqual([]);
});

test.each([
  [String.raw`<input[^>]*name="csrf_token"[^>]*>`, ""],
  ["(a+)+$", ""],
  ["^(a+)+$", ""],
  ["^(a*)*b", ""],
  ["^(a|a)*b", ""],
  ["^(ab)*(ab)*c", ""],
  ["^(a?b?)*c", ""],
  [String.raw`^\s*\s*x`, ""],
  [String.raw`^\d+\w*!`, ""],
  [String.raw`\s+$`, ""],
  [String.raw`^.*,.*$`, ""],
  [String.raw`.*x`, ""],
  [String.raw`x*y`, "m"],
  [String.raw`^a+$`, "m"],
  [String.raw`(.)\1`, ""],
  [String.raw`(?<n>.)\k<n>`, ""],
  [String.raw`a(?=b*c)`, ""],
  [String.raw`\p{L}+!`, "u"],
  ["[a-z]+K", "i"],
  ["(?:a{2,})*b", ""],
  ["^(?:x{1,3})+y", ""],
  ["a*?b", ""],
])("finds the backtracking of /%s/%s", (source, flags) => {
  expect(() => new RegExp(source, flags)).not.toThrow();
  expect(findBacktracking(source, flags)).not.toBeNull();
});

test.each([
  ["^[a-z]+$", ""],
  [String.raw`^\d+\.\d+$`, ""],
  [String.raw`\s+`, "g"],
  [String.raw`^(?:\d{1,3}\.){3}\d{1,3}$`, ""],
  [String.raw`^[^:]*:.*$`, "s"],
  [String.raw`"[^"]*"`, ""],
  [String.raw`^(?:a|b)*c`, ""],
  [String.raw`^(?:x{2})*y`, ""],
  ["^(?:x{1,3},)*y", ""],
  [String.raw`(?<=[a-z])(?=[A-Z])`, "g"],
  ["x+y", "y"],
  [String.raw`^\[\]\/[^\]/]+\]`, ""],
  [String.raw`\p{M}`, "gu"],
])("lets the linear /%s/%s pass", (source, flags) => {
  expect(findBacktracking(source, flags)).toBeNull();
});

interface Pattern {
  file: string;
  line: number;
  text: string;
  /** Null when it is not a literal. */
  source: string | null;
  flags: string;
}

function listPatterns(file: string): Pattern[] {
  const code = readFileSync(resolve(project, file), "utf8");
  const { program, errors } = parseSync(file, code);
  expect(errors).toEqual([]);
  const patterns: Pattern[] = [];
  const lineAt = (start: number): number => code.slice(0, start).split("\n").length;
  const addBuilt = ({ start, callee }: { start: number; callee: object }): void => {
    if (!("name" in callee) || callee.name !== "RegExp") return;
    patterns.push({ file, line: lineAt(start), text: "new RegExp", source: null, flags: "" });
  };
  new Visitor({
    Literal: (node) => {
      if (!("regex" in node)) return;
      const { pattern: source, flags } = node.regex;
      const text = `/${source}/${flags}`;
      patterns.push({ file, line: lineAt(node.start), text, source, flags });
    },
    NewExpression: addBuilt,
    CallExpression: addBuilt,
  }).visit(program);
  return patterns;
}
