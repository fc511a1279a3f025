// npm run containers -- [--cgroup-parent PATH]
//
// Builds the image, runs docker-compose.yml with the examples of examples/operations/ in podman or docker, and does to
// it what an operator does. Prints a line of a table for each check; the exit code is 1 when one of them fails. Without
// an engine or its base images it says what is left out and why, and ends with 0. Its containers listen on loopback
// alone and are removed at the end.
import { parseArgs } from "node:util";
import { buildImage, prepareBaseImages } from "./base-images.ts";
import { containerChecks } from "./container-checks.ts";
import { findEngine, type Engine } from "./engine.ts";
import { operationChecks } from "./operation-checks.ts";
import { serviceChecks } from "./service-checks.ts";
import { imageName, Trial } from "./trial.ts";

const limitMs = 45 * 60_000;

const { values } = parseArgs({ options: { "cgroup-parent": { type: "string" } } });
const engine = await findEngine(values["cgroup-parent"]);
const missing = "missing" in engine ? engine.missing : await prepare(engine);
if (missing) process.stdout.write(`The containers are left out: ${missing}.\n`);
else if (!("missing" in engine)) process.exit((await runAll(engine)) ? 0 : 1);

async function prepare(found: Engine): Promise<string | undefined> {
  const prepared = await prepareBaseImages(found);
  if ("missing" in prepared) return prepared.missing;
  process.stdout.write(`${found.program}, on ${prepared.images.join(", ")}\n`);
  return undefined;
}

async function runAll(found: Engine): Promise<boolean> {
  const buildStartedAt = performance.now();
  await buildImage(found, imageName);
  const size = await found.must(["image", "inspect", "--format", "{{.Size}}", imageName]);
  const seconds = Math.round((performance.now() - buildStartedAt) / 1000);
  printRow("the image is built", `${Math.round(Number(size) / 1e6)} MB, in ${seconds} s`, true);
  const trial = await Trial.prepare(found);
  const ending = endOnce(trial);
  try {
    return await runChecks(trial);
  } finally {
    await ending();
  }
}

async function runChecks(trial: Trial): Promise<boolean> {
  let areAllOk = true;
  for (const { name, run } of [...containerChecks, ...serviceChecks, ...operationChecks]) {
    try {
      printRow(name, await run(trial), true);
    } catch (error) {
      areAllOk = false;
      printRow(name, error instanceof Error ? error.message : String(error), false);
    }
  }
  return areAllOk;
}

/** The containers are removed once, whichever comes first: the end of the run, of its time, or a signal. */
function endOnce(trial: Trial): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const end = async (): Promise<void> => await (ended ??= trial.end());
  const giveUp = (reason: string): void => {
    process.stderr.write(`${reason}\n`);
    void end().finally(() => process.exit(1));
  };
  setTimeout(() => giveUp(`not done in ${limitMs / 60_000} minutes`), limitMs).unref();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => giveUp("the run was stopped"));
  return end;
}

function printRow(name: string, measured: string, isOk: boolean): void {
  const cells = [
    name,
    measured.replaceAll(/\s+/g, " ").replaceAll("|", "/"),
    isOk ? "ok" : "not ok",
  ];
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
