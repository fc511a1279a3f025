import { Option, type Command } from "commander";
import type { Connection } from "../connections/index.ts";
import { authErrorCodes, type AuthErrorCode } from "../model/index.ts";
import { sandboxControls } from "../providers/index.ts";
import type { Services } from "../services.ts";
import { CommandFailure, isJson, withServices } from "./command-context.ts";
import { printRows } from "./output.ts";
import { parseTokenId } from "./token-commands.ts";

export function addSandboxCommands(program: Command): void {
  const sandbox = program.command("sandbox").description("the simulated provider");

  sandbox
    .command("advance")
    .description("move the simulated hour on: one employee added, one removed, two updated")
    .option("--token <token_id>", "of this token alone; otherwise of every sandbox connection")
    .addHelpText(
      "after",
      "\nExample:\n  $ rollcall sandbox advance --token 01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77",
    )
    .action((options: { token?: string }, command: Command) =>
      withServices(command, async (services) => {
        const chosen = options.token
          ? [await findSandboxConnection(services, options.token)]
          : await services.connections.listOfProvider("sandbox");
        await changeSessions(services, command, chosen, "advance", sandboxControls.advance);
      }),
    );

  sandbox
    .command("fail")
    .description("let the next fetches of a connection fail until its end user signs in again")
    .requiredOption("--token <token_id>", "whose connection")
    .addOption(
      new Option("--code <code>", "the refusal").choices(authErrorCodes).makeOptionMandatory(),
    )
    .addHelpText(
      "after",
      "\nExample:\n  $ rollcall sandbox fail --token 01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77 --code reauthentication_required",
    )
    .action((options: { token: string; code: AuthErrorCode }, command: Command) =>
      withServices(command, async (services) => {
        const connection = await findSandboxConnection(services, options.token);
        await changeSessions(
          services,
          command,
          [connection],
          `fail with ${options.code}`,
          (session) => sandboxControls.fail(session, options.code),
        );
      }),
    );
}

async function changeSessions(
  { connections, audit, pool }: Services,
  command: Command,
  chosen: readonly Connection[],
  change: string,
  apply: (session: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  for (const connection of chosen) {
    await connections.saveSession(connection, apply(connection.session));
    await audit.record(pool, "sandbox.changed", {
      clientId: connection.clientId,
      tokenId: connection.tokenId,
      connectionId: connection.id,
      detail: { change },
    });
  }
  printRows(
    chosen.map(({ tokenId }) => ({ token: tokenId, change })),
    { isJson: isJson(command), empty: "There is no sandbox connection." },
  );
}

async function findSandboxConnection(
  { connections }: Services,
  tokenId: string,
): Promise<Connection> {
  const connection = await connections.loadByToken(parseTokenId(tokenId));
  if (connection?.provider !== "sandbox")
    throw new CommandFailure("no sandbox connection has this token", "not_found");
  return connection;
}
