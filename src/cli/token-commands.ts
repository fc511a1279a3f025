import type { Command } from "commander";
import type { TokenId } from "../model/index.ts";
import type { TokenEntry } from "../tokens/index.ts";
import { findClient } from "./client-commands.ts";
import { isJson, withServices } from "./command-context.ts";
import { exampleClientId, exampleId, formatExamples } from "./format-examples.ts";
import { printFields, printRows } from "./output.ts";
import { parseTokenId } from "./parse-arguments.ts";

export function addTokenCommands(program: Command): void {
  const token = program.command("token").description("access tokens, named by their id");
  addListCommand(token);
  addDisconnectCommand(token);
}

function addListCommand(token: Command): void {
  token
    .command("list")
    .description("the tokens of a client")
    .requiredOption("--client <client_id>", "whose tokens")
    .addHelpText("after", formatExamples(`token list --client ${exampleClientId}`))
    .action((options: { client: string }, command: Command) =>
      withServices(command, async ({ clients, tokens }) => {
        const { clientId } = await findClient(clients, options.client);
        const found = JSON.parse((await tokens.list(clientId)).join("")) as TokenEntry[];
        const rows = found.map(({ token, provider, mode, status, scopes, created_at }) => ({
          token,
          provider,
          mode,
          status,
          scopes: isJson(command) ? scopes : `${scopes.length}`,
          created_at: new Date(created_at),
        }));
        printRows(rows, { isJson: isJson(command), empty: "The client has no token." });
      }),
    );
}

function addDisconnectCommand(token: Command): void {
  token
    .command("disconnect <token_id>")
    .description("end a token and delete what is stored for it")
    .addHelpText("after", formatExamples(`token disconnect ${exampleId}`))
    .action((tokenId: TokenId, _options: object, command: Command) =>
      withServices(command, async ({ tokens }) => {
        await tokens.disconnectById(parseTokenId(tokenId));
        printFields({ token: tokenId, disconnected: true }, { isJson: isJson(command) });
      }),
    );
}
