import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const project = resolve(import.meta.dirname, "..");
const readme = readFileSync(join(project, "README.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { scripts: Record<string, string> };

test("every script that the README names exists", () => {
  const named = [...readme.matchAll(/npm (?:run )?(start|test|lint|typecheck|check|bench|chaos)\b/g)].map((match) => match[1] ?? "");
  expect(named.length).toBeGreaterThan(4);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

test("every file that the README names exists", () => {
  const quoted = [...readme.matchAll(/`((?:src|test|migrations|platform|providers|tokens|data|sync|connect|clients)\/[A-Za-z0-9_./-]+)`/g)].map((match) => match[1] ?? "");
  const tree = [...readme.matchAll(/^ {2}([a-z-]+\.ts|[a-z]+\/)(?:,| )/gm)].map((match) => `src/${match[1] ?? ""}`);
  expect(quoted.length + tree.length).toBeGreaterThan(25);
  expect([...quoted, ...tree].filter((path) => !existsSync(join(project, path)) && !existsSync(join(project, "src", path)))).toEqual([]);
});
