import type { Command } from "commander";
import { withServices } from "./command-context.ts";
import { isJson } from "./report-failure.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { printRows } from "./output.ts";

export function describeProblemsCommand(problems: Command): void {
  problems
    .option("--client <client_id>", "only those of this client")
    .addHelpText(
      "after",
      formatExamples("problems", `problems --client ${exampleClientId}`, "problems --json"),
    )
    .action((options: { client?: string }, command: Command) =>
      withServices(
        command,
        async (services) => {
          const { findProblems, toEntry } = await import("../console/index.ts");
          const found = await findProblems(services, options.client);
          const rows = found.problems.map((problem) => {
            const { since, turn, what, todo, token, ...entry } = toEntry(
              services.registry,
              problem,
            );
            const shown = { since, turn, what, todo, token, client_id: problem.clientId };
            return isJson(command) ? { ...shown, ...entry } : shown;
          });
          printRows(rows, { isJson: isJson(command), empty: "Nothing needs anybody." });
        },
        { isReadOnly: true },
      ),
    );
}
