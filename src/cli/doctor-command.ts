import { styleText } from "node:util";
import type { Command } from "commander";
import { reportFailure } from "./report-failure.ts";
import { CommandFailure } from "./command-failure.ts";
import type { CheckGroup, Deployment, Finding } from "./doctor/finding.ts";
import { formatExamples } from "./format-examples.ts";
import { isJson, printJson, printLine } from "./output.ts";

const note = `
Each check is a line: ok, warning or failed, what was found, and what to do. Reads and changes nothing, asks
PUBLIC_URL, the database, Redis and METRICS_PORT alone, and prints no secret. Exit code 1 when a check failed.
`;

const styles = { ok: "green", warning: "yellow", failed: "red" } as const;
const checkWidth = 18;
const longestGroupMs = 30_000;

export function describeDoctorCommand(doctor: Command): void {
  doctor
    .addHelpText("after", note + formatExamples("doctor", "doctor --json"))
    .action((_options: object, command: Command) => reportFailure(command, () => examine(command)));
}

async function examine(command: Command): Promise<void> {
  const findings: Finding[] = [];
  for await (const finding of findAll()) {
    findings.push(finding);
    if (!isJson(command)) printFinding(finding);
  }
  if (isJson(command)) printJson(findings);
  const failed = findings.filter(({ result }) => result === "failed").length;
  if (failed > 0)
    throw new CommandFailure(`${failed} of ${findings.length} checks failed`, "unhealthy");
}

async function* findAll(): AsyncGenerator<Finding> {
  const machine = await import("./doctor/machine-checks.ts");
  const deployment = yield* readDeployment();
  if (!deployment) {
    yield* lookAt(machine.node, undefined as never);
    return;
  }
  const [addresses, { database }, { redis }, { work }] = await Promise.all([
    import("./doctor/address-checks.ts"),
    import("./doctor/database-checks.ts"),
    import("./doctor/redis-checks.ts"),
    import("./doctor/work-checks.ts"),
  ]);
  const { node, disk, dns, providers, metricsPort } = machine;
  const { publicUrl, tls, trustProxy } = addresses;
  const alone = [node, disk, dns, providers, publicUrl, tls, trustProxy, metricsPort, redis];
  for (const group of alone) yield* lookAt(group, deployment);
  let canBeAsked = true;
  for await (const finding of lookAt(database, deployment)) {
    const { check, result } = finding;
    if (check === "schema" || check === "database") canBeAsked &&= result === "ok";
    yield finding;
  }
  if (canBeAsked) yield* lookAt(work, deployment);
  else
    yield {
      check: "work",
      result: "warning",
      found: "keys, processes, schedules, reads and webhooks were not looked at",
      advice: "Mend the database first, and run this again.",
    };
}

async function* readDeployment(): AsyncGenerator<Finding, Deployment | undefined> {
  const check = "configuration";
  const { readConfig, InvalidConfiguration, variables } = await import("../config/index.ts");
  try {
    const deployment = readConfig();
    const mode = deployment.config.isLocal ? "local mode" : "hosted";
    const count = Object.keys(variables.shape).length;
    yield { check, result: "ok", found: `all ${count} variables are valid: ${mode}` };
    return deployment;
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    const advice = "See docs/configuration.md. The other checks need a valid configuration.";
    for (const found of error.problems) yield { check, result: "failed", found, advice };
    return undefined;
  }
}

/** A check that takes too long, or fails by itself, is a finding too. */
async function* lookAt(group: CheckGroup, deployment: Deployment): AsyncGenerator<Finding> {
  const [{ withTimeout }, { explainRefusal }, { describeError }] = await Promise.all([
    import("../platform/with-timeout.ts"),
    import("../start/explain-start.ts"),
    import("../platform/describe-error.ts"),
  ]);
  const findings = group.look(deployment)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withTimeout(longestGroupMs, () => findings.next());
      if (done === true) return;
      yield { check: group.name, ...value };
    }
  } catch (error) {
    const { type, reason } = describeError(error);
    yield {
      check: group.name,
      result: "failed",
      found: explainRefusal(error) ?? `the check itself failed (${reason ?? type})`,
    };
  }
}

function printFinding({ check, result, found, advice }: Finding): void {
  const mark = styleText(styles[result], result.padEnd("warning".length));
  printLine(`${mark}  ${check.padEnd(checkWidth)} ${found}`);
  if (advice !== undefined && result !== "ok") printLine(`${" ".repeat(9 + checkWidth)} ${advice}`);
}
