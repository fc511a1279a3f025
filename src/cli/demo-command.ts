import type { Command } from "commander";
import { CommandFailure } from "./command-failure.ts";
import { reportFailure } from "./report-failure.ts";
import { formatExamples } from "./format-examples.ts";
import { isJson, printJson } from "./output.ts";

export function describeDemoCommand(demo: Command): void {
  demo
    .addHelpText("after", formatExamples("demo", "demo --json"))
    .action((_options: object, command: Command) =>
      reportFailure(command, () => printDemo(command)),
    );
}

/** Needs no database and no running service. */
async function printDemo(command: Command): Promise<void> {
  const [{ readConfig }, { readDemo }, { formatWelcome }, { findRunningPostgres }] =
    await Promise.all([
      import("../config/index.ts"),
      import("../start/local-state.ts"),
      import("../start/welcome.ts"),
      import("../platform/embedded/index.ts"),
    ]);
  const { config } = readConfig();
  const demo = config.isLocal ? await readDemo(config.stateDir) : undefined;
  if (!demo)
    throw new CommandFailure(
      "there is no demo: start the service in local mode first, with npm start",
      "not_found",
    );
  if (isJson(command)) return printJson(demo);
  const isRunning = findRunningPostgres(config.stateDir) !== undefined;
  process.stdout.write(formatWelcome(demo, { isRunning }));
}
