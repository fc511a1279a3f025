import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { documents } from "./support/documents.ts";

// One idea has one word (docs/glossary.md). These are former words of ours. Nothing is named by them any more.

const formerWords =
  "ring rung unheard doorbell park parked owed acked doubtful judge judged verdict guess guesses";
const project = resolve(import.meta.dirname, "..");

test("no identifier, column, metric, message, document or file name has a former word as a part", () => {
  const files = [
    ...["src", "migrations", "test", "bench", "docs", "examples"].flatMap(listFiles),
    ...documents.map(({ path }) => join(project, path)),
  ];
  expect(files.length).toBeGreaterThan(300);
  const former = new Set(formerWords.split(" "));
  const found = files
    .filter((file) => file !== import.meta.filename)
    .flatMap((file) =>
      partsOf(`${relative(project, file)} ${readFileSync(file, "utf8")}`)
        .filter((part) => former.has(part))
        .map((part) => `${part} in ${relative(project, file)}`),
    );
  expect([...new Set(found)]).toEqual([]);
});

test("a name is cut into its parts", () => {
  expect(partsOf("isParkedUntil, acked_at; rollcall_owed_total x-ring-id SIGHUP")).toEqual(
    "is parked until acked at rollcall owed total x ring id sighup".split(" "),
  );
});

function partsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
}

function listFiles(folder: string): string[] {
  const root = join(project, folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js|sql|md|py|go)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
