import { Option, type Command } from "commander";
import type { Connection } from "../connections/index.ts";
import { authErrorCodes, type AuthErrorCode, type TokenId } from "../model/index.ts";
import type { Services } from "../services.ts";
import { CommandFailure, isJson, withServices } from "./command-context.ts";
import { exampleId, formatExamples } from "./format-examples.ts";
import { printRows } from "./output.ts";
import { parseTokenId } from "./parse-arguments.ts";

export function addSandboxCommands(program: Command): void {
  const sandbox = program.command("sandbox").description("the simulated provider");
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
    .addOption(
      new Option("--code <code>", "the code of the failure")
        .choices(authErrorCodes)
        .makeOptionMandatory(),
    )
    .addHelpText(
      "after",
      formatExamples(`sandbox fail --token ${exampleId} --code reauthentication_required`),
    )
    .action((options: { token: string; code: AuthErrorCode }, command: Command) =>
      withServices(command, async (services) => {
        const connection = await findSandboxConnection(services, options.token);
        await services.sandbox.fail(connection, options.code);
        printChanged(command, [connection], `fail with ${options.code}`);
      }),
    );
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
