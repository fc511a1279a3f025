import type { Command } from "commander";
import type { Check } from "../conformance/index.ts";
import { isJson, reportFailure } from "./command-context.ts";
import { CommandFailure } from "./command-failure.ts";
import { formatExamples } from "./format-examples.ts";
import { openRows, type Row } from "./output.ts";

const openRestMs = 500;

export function addProviderCommands(provider: Command): void {
  provider
    .command("check")
    .description("run every check of the contract beside a fake of the provider's system")
    .argument("<name>", "a registered provider, or the name, file or folder of a package")
    .addHelpText("after", formatExamples("provider check sandbox", "provider check ./index.js"))
    .action(async (name: string, _options: object, command: Command) => {
      await reportFailure(command, () => checkProvider(name, { isJson: isJson(command) }));
      // What a package or its fake left open does not keep the command alive.
      setTimeout(() => process.exit(), openRestMs).unref();
    });
}

/** Needs no database and no running service. */
async function checkProvider(name: string, output: { isJson: boolean }): Promise<void> {
  const [{ readConfig }, { listChecks }, { providerPackages }] = await Promise.all([
    import("../config.ts"),
    import("../conformance/index.ts"),
    import("../providers/index.ts"),
  ]);
  const { config } = readConfig();
  const subjects = await providerPackages.findCheckable(name, config.providerPackages);
  const checks = subjects.flatMap(listChecks);
  const widest = checks.map((check) => ({ ...describeRow(check), result: "left out", note: "" }));
  const table = openRows(widest, output);
  for (const check of checks) table.add(await runCheck(check));
  const rows = table.end();
  const failed = rows.filter(({ result }) => result === "failed").length;
  if (failed > 0)
    throw new CommandFailure(`${failed} of ${rows.length} checks failed`, "not_conforming");
}

function describeRow({ subject, name }: Check): { provider: string; check: string } {
  return { provider: subject, check: name };
}

async function runCheck(check: Check): Promise<Row> {
  const { title, leftOut, run } = check;
  const row = describeRow(check);
  if (leftOut !== undefined) return { ...row, result: "left out", note: leftOut };
  try {
    const reason = await run();
    return reason === undefined
      ? { ...row, result: "passed", note: title }
      : { ...row, result: "left out", note: reason };
  } catch (error) {
    return { ...row, result: "failed", note: (error as Error).message };
  }
}
