import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectDir } from "../support/program-environment.ts";

const run = promisify(execFile);
const limitMs = 600_000;

test(
  "the scale test measures a small service",
  async () => {
    const sizes = ["--connections", "500", "--deliveries", "2000", "--real", "10"];
    const { stdout } = await run(process.execPath, [join(projectDir, "bench/scale.ts"), ...sizes], {
      env: process.env,
      timeout: limitMs,
    });
    const rows = stdout.split("\n").map((line) => line.split(" | "));
    const startsWith = (what: string): string[] =>
      rows.find(([first]) => first === `| ${what}`) ?? [];
    for (const what of ["GET of employees", "exchange of a code", "page of deliveries"])
      expect(startsWith(what)).toHaveLength(5);
    expect(startsWith("the claims of an hour's polls")[1]).toMatch(/^5\d\d rows in /);
    expect(startsWith("the hourly clean-up of webhooks")[1]).toMatch(/^[1-9]\d* rows in /);
  },
  limitMs,
);
