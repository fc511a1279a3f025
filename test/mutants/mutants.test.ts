import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectDir } from "../support/program-environment.ts";
import { findMutant, type Mutant } from "./mutant.ts";

const mutants = JSON.parse(
  readFileSync(join(import.meta.dirname, "mutants.json"), "utf8"),
) as Mutant[];

test("each mutant changes a text that stands once in its file", () => {
  expect(mutants.length).toBeGreaterThan(120);
  const lost = mutants.filter((mutant) => {
    const text = readFileSync(join(projectDir, mutant.path), "utf8");
    return findMutant(text, mutant) === undefined;
  });
  expect(lost.map(({ id, path, find }) => ({ id, path, find }))).toEqual([]);
});
