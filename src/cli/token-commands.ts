import type { Command } from "commander";
import { z } from "zod";
import { findClient } from "./client-commands.ts";
import { isJson, UsageFailure, withServices } from "./command-context.ts";
import { printFields, printRows } from "./output.ts";

export function addTokenCommands(program: Command): void {
  const token = program.command("token").description("access tokens, named by their id");

  token
    .command("list")
    .description("the tokens of a client")
    .requiredOption("--client <client_id>", "whose tokens")
    .addHelpText(
      "after",
      "\nExample:\n  $ rollcall token list --client 3FDAEDF9-1DCA4F54-87949F6A-41027643",
    )
    .action((options: { client: string }, command: Command) =>
      withServices(command, async ({ clients, tokens }) => {
        const { clientId } = await findClient(clients, options.client);
        const found = await tokens.list(clientId);
        const rows = found.map(({ id, provider, mode, status, scopes, createdAt }) => ({
          token: id,
          provider,
          mode,
          status,
          scopes: isJson(command) ? scopes : `${scopes.length}`,
          created_at: createdAt,
        }));
        printRows(rows, { isJson: isJson(command), empty: "The client has no token." });
      }),
    );

  token
    .command("disconnect <token_id>")
    .description("end a token and delete what is stored for it")
    .addHelpText(
      "after",
      "\nExample:\n  $ rollcall token disconnect 01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77",
    )
    .action((tokenId: string, _options: object, command: Command) =>
      withServices(command, async ({ tokens }) => {
        await tokens.disconnectById(parseTokenId(tokenId));
        printFields({ token: tokenId, disconnected: true }, { isJson: isJson(command) });
      }),
    );
}

export function parseTokenId(value: string): string {
  if (!z.uuid().safeParse(value).success)
    throw new UsageFailure("a token is named by its id, as in: rollcall token list");
  return value;
}
