// Runs in the copy, and is asked by IPC: one start of Vitest and of the tests' database is enough for many mutants.
import { join } from "node:path";
import { createVitest } from "vitest/node";

export interface Question {
  /** Test files. */
  files: string[];
  /** What was changed since the last question. */
  changed: readonly string[];
}

export interface Answer {
  /** Of the files. */
  failed: string[];
  ms: number;
}

const vitest = await createVitest("test", {
  watch: false,
  project: ["!e2e*"],
  bail: 1,
  // What a mutant hangs fails soon.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  reporters: [{}],
});
await vitest.standalone();
process.on("message", (question: Question) => void answer(question));
process.on("disconnect", () => void vitest.close());

async function answer({ files, changed }: Question): Promise<void> {
  for (const path of changed) vitest.invalidateFile(join(process.cwd(), path));
  const startedAt = performance.now();
  const specifications = await vitest.globTestSpecifications(files);
  const { testModules } = await vitest.runTestSpecifications(specifications);
  const isDone = testModules.length > 0;
  const failed = testModules
    .filter((one) => !one.ok())
    .map(({ relativeModuleId }) => relativeModuleId);
  const ms = performance.now() - startedAt;
  process.send?.({ failed: isDone ? failed : files, ms } satisfies Answer);
}
