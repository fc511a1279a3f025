import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { copyFolder, workFolder } from "./copy.ts";

export interface TestRun {
  /** The files with a test that failed. */
  failed: string[];
  secondsOf: Map<string, number>;
}

interface Report {
  testResults: { name: string; status: string; startTime: number; endTime: number }[];
}

const report = join(workFolder, "report.json");

/** Runs the given test files of the copy, or all. A run that takes longer than the limit has failed in all of them. */
export async function runTests(
  files: readonly string[],
  options: readonly string[] = [],
  limitMs = 3_600_000,
): Promise<TestRun> {
  rmSync(report, { force: true });
  const args = ["vitest", "run", ...files, "--reporter=json", `--outputFile=${report}`, ...options];
  const child = spawn("npx", args, { cwd: copyFolder, stdio: "ignore", timeout: limitMs });
  await once(child, "close");
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
    return {
      failed: testResults
        .filter(({ status }) => status === "failed")
        .map(({ name }) => relative(copyFolder, name)),
      secondsOf: new Map(
        testResults.map(({ name, startTime, endTime }) => [
          relative(copyFolder, name),
          (endTime - startTime) / 1_000,
        ]),
      ),
    };
  } catch {
    // No report: the run was ended, or not one test could begin.
    return { failed: [...files], secondsOf: new Map() };
  }
}
