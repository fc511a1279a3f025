import type { Command } from "commander";
import type { TokenId } from "../model/index.ts";
import type { TokenEntry } from "../tokens/index.ts";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { isJson } from "./report-failure.ts";
import { exampleClientId, exampleId, formatExamples } from "./format-examples.ts";
import { printFields, printRows } from "./output.ts";
import { parseTokenId } from "./parse-arguments.ts";

export function addTokenCommands(token: Command): void {
  addListCommand(token);
  addDisconnectCommand(token);
}

function addListCommand(token: Command): void {
  token
    .command("list")
    .description("the tokens of a client")
    .option("--client <client_id>", "whose tokens; default: the demo client")
    .addHelpText("after", formatExamples(`token list --client ${exampleClientId}`))
    .action((options: { client?: string }, command: Command) =>
      withServices(command, async (services) => {
        const { clientId } = await chooseClient(services, options.client);
        const found = JSON.parse((await services.tokens.list(clientId)).join("")) as TokenEntry[];
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
