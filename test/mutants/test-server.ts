// Runs in the copy, and is asked by IPC: one start of Vitest and of the tests' database is enough for many mutants.
import { join } from "node:path";
import { createVitest } from "vitest/node";

export interface Question {
  /** A test file. */
  file: string;
  /** What was changed since the last question. */
  changed: readonly string[];
}

export interface Answer {
  isKept: boolean;
  ms: number;
}

const vitest = await createVitest("test", {
  watch: false,
  project: ["embedded"],
  bail: 1,
  reporters: [{}],
});
await vitest.standalone();
process.on("message", (question: Question) => void answer(question));
process.on("disconnect", () => void vitest.close());

async function answer({ file, changed }: Question): Promise<void> {
  for (const path of changed) vitest.invalidateFile(join(process.cwd(), path));
  const startedAt = performance.now();
  const specifications = await vitest.globTestSpecifications([file]);
  const { testModules } = await vitest.runTestSpecifications(specifications);
  const isKept = testModules.length > 0 && testModules.every((one) => one.ok());
  process.send?.({ isKept, ms: performance.now() - startedAt } satisfies Answer);
}
