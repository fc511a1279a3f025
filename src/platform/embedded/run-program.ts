import { spawn } from "node:child_process";
import { basename } from "node:path";
import type { Account } from "./state-folder.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** Nothing of our own environment reaches Postgres, so no PG* variable and no secret does. */
export const programEnvironment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

const keptOutput = 2000;
const alternative = "Set DATABASE_URL to use a Postgres of your own.";

/** Runs one program of Postgres to its end; fails with the last lines it printed. */
export async function runProgram(
  program: string,
  args: string[],
  options: { account?: Account | undefined; input?: string },
): Promise<void> {
  const child = spawn(program, args, {
    cwd: "/",
    env: programEnvironment,
    stdio: "pipe",
    ...options.account,
  });
  let output = "";
  const keepOutput = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-keptOutput);
  };
  child.stdout.on("data", keepOutput);
  child.stderr.on("data", keepOutput);
  // A program that ends early does not read its input; its exit code tells what happened.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once("error", (cause) => {
    reject(
      new EmbeddedPostgresError(
        `Cannot run ${program} (${(cause as NodeJS.ErrnoException).code}). ` +
          `The binaries need glibc on Linux. ${alternative}`,
        { cause },
      ),
    );
  });
  child.once("close", (code, signal) => {
    if (code === 0) resolve();
    else
      reject(
        new EmbeddedPostgresError(
          `${basename(program)} ended with ${signal ?? code}. ${alternative}\n${output.trim()}`,
        ),
      );
  });
  await promise;
}
