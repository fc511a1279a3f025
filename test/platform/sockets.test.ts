import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { projectDir } from "../support/program-environment.ts";

/** Opens all files that the process may open, and then asks the database. */
const program = (databaseUrl: string): string => `
import { openSync } from "node:fs";
import { createPool, isDatabaseUnavailable } from "${join(projectDir, "src/platform/db/index.ts")}";
import { createLog } from "${join(projectDir, "src/platform/log.ts")}";
const lines = [];
const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
const databaseUrl = ${JSON.stringify(databaseUrl)};
const pool = createPool({ databaseUrl, max: 5, patienceMs: 1_000, log });
process.stdout.write("");
try {
  for (;;) openSync("/dev/null");
} catch {
  const asked = Array.from({ length: 50 }, () => pool.query("select 1").catch(isDatabaseUnavailable));
  console.log(JSON.stringify({ answers: await Promise.all(asked), lines }));
  process.exit();
}
`;

test("a process that can open no more sockets says so once, and the database counts as away", () => {
  const node = join(projectDir, "node_modules/.bin/node");
  const script = program(inject("postgresUrl"));
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', node, script],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  const { answers, lines } = JSON.parse(stdout) as { answers: unknown[]; lines: string[] };
  expect(new Set(answers)).toEqual(new Set([true]));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /"detail":"connect EMFILE .*cannot be reached: .* raise its limit \(ulimit -n\)"/,
  );
});
