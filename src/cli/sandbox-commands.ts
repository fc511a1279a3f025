import type { Command } from "commander";
import type { Connection } from "../connections/index.ts";
import type { AuthErrorCode, TokenId } from "../model/index.ts";
import type { Services } from "../start/services.ts";
import { withServices } from "./command-context.ts";
import { isJson } from "./report-failure.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { exampleId, formatExamples } from "./format-examples.ts";
import { printRows } from "./output.ts";
import { parseTokenId } from "./parse-arguments.ts";

export function addSandboxCommands(sandbox: Command): void {
  addAdvanceCommand(sandbox);
  addFailCommand(sandbox);
}

function addAdvanceCommand(sandbox: Command): void {
  sandbox
    .command("advance")
    .description("go to the next simulated hour: one employee added, one removed, two updated")
    .option("--token <token_id>", "only the connection of this token; default: all of the sandbox")
    .addHelpText("after", formatExamples(`sandbox advance --token ${exampleId}`))
    .action((options: { token?: string }, command: Command) =>
      withServices(command, async (services) => {
        const chosen = options.token
          ? [await findSandboxConnection(services, options.token)]
          : await services.connections.listOfProvider("sandbox");
        for (const connection of chosen) await services.sandbox.advance(connection);
        printChanged(command, chosen, "advance");
      }),
    );
}

function addFailCommand(sandbox: Command): void {
  sandbox
    .command("fail")
    .description("make the reads of a connection fail until its end user signs in again")
    .requiredOption("--token <token_id>", "whose connection")
    .requiredOption("--code <code>", "the code of the 401, as in docs/errors-and-limits.md")
    .addHelpText(
      "after",
      formatExamples(`sandbox fail --token ${exampleId} --code reauthentication_required`),
    )
    .action((options: { token: string; code: string }, command: Command) =>
      withServices(command, async (services) => {
        const code = await parseCode(options.code);
        const connection = await findSandboxConnection(services, options.token);
        await services.sandbox.fail(connection, code);
        printChanged(command, [connection], `fail with ${code}`);
      }),
    );
}

async function parseCode(given: string): Promise<AuthErrorCode> {
  const { authErrorCodes } = await import("../model/index.ts");
  const code = authErrorCodes.find((known) => known === given);
  if (!code) throw new UsageFailure(`--code ${given} is none of ${authErrorCodes.join(", ")}`);
  return code;
}

function printChanged(command: Command, chosen: readonly Connection[], change: string): void {
  printRows(
    chosen.map(({ tokenId }) => ({ token: tokenId, change })),
    { isJson: isJson(command), empty: "There is no sandbox connection." },
  );
}

async function findSandboxConnection(
  { connections }: Services,
  tokenId: TokenId,
): Promise<Connection> {
  const connection = await connections.loadByToken(parseTokenId(tokenId));
  if (connection?.provider !== "sandbox")
    throw new CommandFailure("no sandbox connection has this token", "not_found");
  return connection;
}
