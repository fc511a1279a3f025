import type { Command } from "commander";
import { isJson, reportFailure } from "./command-context.ts";
import { CommandFailure } from "./command-failure.ts";
import { formatExamples } from "./format-examples.ts";
import { openRows } from "./output.ts";

export function addProviderCommands(provider: Command): void {
  provider
    .command("check")
    .description("run every check of the contract beside a fake of the provider's system")
    .argument("<name>", "a registered provider, or the name, file or folder of a package")
    .addHelpText("after", formatExamples("provider check sandbox", "provider check ./index.js"))
    .action(async (name: string, _options: object, command: Command) => {
      await reportFailure(command, () => checkProvider(name, { isJson: isJson(command) }));
    });
}

/** Needs no database and no running service. */
async function checkProvider(name: string, output: { isJson: boolean }): Promise<void> {
  const [{ readConfig }, { checkInChild }] = await Promise.all([
    import("../config/index.ts"),
    import("../conformance/index.ts"),
  ]);
  const { config } = readConfig();
  const { providerPackages: packages, stateDir, secretFiles } = config;
  let left: { provider: string; check: string }[] = [];
  let table: ReturnType<typeof openRows> | undefined;
  await checkInChild(
    { name, packages, withheld: [stateDir, ...secretFiles] },
    {
      onChecks: (checks) => {
        left = checks.map(({ subject, name: check }) => ({ provider: subject, check }));
        table = openRows(
          left.map((row) => ({ ...row, result: "left out", note: "" })),
          output,
        );
      },
      onResult: (result) => {
        const described = left.shift();
        if (described) table?.add({ ...described, ...result });
      },
      onRefused: (what, place) =>
        void process.stderr.write(
          `rollcall: the package was refused ${what}${place === undefined ? "" : ` (${place})`}; the service refuses it too\n`,
        ),
    },
  );
  const rows = table?.end() ?? [];
  const failed = rows.filter(({ result }) => result === "failed").length;
  if (failed > 0)
    throw new CommandFailure(`${failed} of ${rows.length} checks failed`, "not_conforming");
}
