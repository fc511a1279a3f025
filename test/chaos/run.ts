// npm run chaos -- [ROW …] [--list] [--redis] [--scale 0.05] [--verbose]
//
// Does to the real service what providers, end users and failing machines do, and prints a line of a table for each
// row. Without ROW it runs all rows. With --redis, or with REDIS_URL and DATABASE_URL, it runs a hosted service on
// Redis, otherwise a local one on the embedded Postgres. The exit code is 1 when a row misses its target.
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { RowContext, type Measured, type Row } from "./row.ts";
import { findRows, rows } from "./rows.ts";

const minuteMs = 60_000;
/** A row that does not notice the end of its time is given up after this. */
const graceMs = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    redis: { type: "boolean", default: false },
    scale: { type: "string", default: "1" },
    verbose: { type: "boolean", default: false },
  },
});
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => interrupted.abort(new Error("the run was stopped")));
// What a row left running may still fail after the row has ended.
process.on("unhandledRejection", (error) => {
  if (values.verbose) process.stderr.write(`  afterwards: ${String(error)}\n`);
});

if (values.list) {
  for (const { name, target } of rows) process.stdout.write(`${name}: ${target}\n`);
} else {
  process.exit((await runAll(findRows(positionals))) ? 0 : 1);
}

async function runAll(chosen: readonly Row[]): Promise<boolean> {
  process.stdout.write("| row | target | measured | result |\n|---|---|---|---|\n");
  const missed: string[] = [];
  for (const row of chosen) {
    if (interrupted.signal.aborted) return false;
    const { isOk, measured } = await runOne(row);
    if (!isOk) missed.push(row.name);
    const cells = [`\`${row.name}\``, row.target, measured, isOk ? "ok" : "not ok"];
    process.stdout.write(`| ${cells.map((cell) => cell.replaceAll("|", "/")).join(" | ")} |\n`);
  }
  const count = `${chosen.length - missed.length} of ${chosen.length} rows are ok`;
  process.stdout.write(`\n${count}${missed.length > 0 ? `; not ok: ${missed.join(", ")}` : ""}.\n`);
  return missed.length === 0;
}

async function runOne(row: Row): Promise<Measured> {
  const scale = Number(values.scale);
  const limitMs = row.limitMinutes * minuteMs * Math.min(1, Math.max(scale, 0.4));
  const timeout = AbortSignal.timeout(limitMs);
  const context = new RowContext({
    scale,
    onRedis: values.redis || Boolean(process.env["REDIS_URL"] && process.env["DATABASE_URL"]),
    isVerbose: values.verbose,
    signal: AbortSignal.any([timeout, interrupted.signal]),
  });
  const givenUp = new AbortController();
  let result: Measured;
  try {
    result = await Promise.race([
      row.run(context),
      delay(limitMs + graceMs, undefined, { signal: givenUp.signal }).then(() => {
        throw new Error("it did not end");
      }),
    ]);
  } catch (error) {
    const reason = timeout.aborted
      ? `not done in ${limitMs / minuteMs} minutes`
      : String(context.failure ?? error);
    result = { isOk: false, measured: reason.replaceAll(/\s+/g, " ").slice(0, 300) };
    if (values.verbose && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  }
  givenUp.abort();
  if (!result.isOk) context.noteComplaints();
  const left = await context.end();
  return left.length === 0
    ? result
    : { isOk: false, measured: `${result.measured}; not ended: ${left.join(", ")}` };
}
