import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectDir } from "./support/program-environment.ts";

interface Locked {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>;
}

/** npm drops a package that it cannot download from the lock without a word, and `npm ci` then refuses the lock. */
test("package-lock.json has the packages of every platform", () => {
  const { packages } = JSON.parse(
    readFileSync(join(projectDir, "package-lock.json"), "utf8"),
  ) as Locked;
  const names = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  const dropped = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => `${name} of ${path}`),
  );
  expect(dropped).toEqual([]);
});
