import { pipeline } from "node:stream/promises";
import { Option, type Command } from "commander";
import type { TokenId } from "../model/index.ts";
import type { TokenEntry, TokenStatus } from "../tokens/index.ts";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { exampleClientId, exampleId, formatExamples } from "./format-examples.ts";
import { isJson, printFields, printRows } from "./output.ts";
import { parseId, parsePeriod } from "./parse-arguments.ts";
import { withPeriod } from "./value-options.ts";

export function addTokenCommands(token: Command): void {
  addListCommand(token);
  addDisconnectCommand(token);
  addReceiptCommand(token);
  addExportCommand(token);
}

const statuses: readonly TokenStatus[] = ["active", "reauthentication_required", "disconnected"];

interface ListOptions {
  client?: string;
  status?: TokenStatus;
  provider?: string;
  reference?: string;
  since?: string;
  until?: string;
}

function addListCommand(token: Command): void {
  const command = token
    .command("list")
    .description("the tokens of a client")
    .option("--client <client_id>", "whose tokens; default: the demo client")
    .addOption(new Option("--status <status>", "only those with this status").choices(statuses))
    .option("--provider <name>", "only those of this provider")
    .option("--reference <reference>", "only those of connections that the client calls by it");
  withPeriod(command, "made")
    .addHelpText(
      "after",
      formatExamples(
        `token list --client ${exampleClientId}`,
        "token list --status reauthentication_required --since 7d",
      ),
    )
    .action(({ client, ...filter }: ListOptions, command: Command) =>
      withServices(command, async (services) => {
        const { clientId } = await chooseClient(services, client);
        const period = parsePeriod(filter, services.clock.now());
        const parts = await services.tokens.list(clientId, { ...filter, ...period });
        const found = JSON.parse(parts.join("")) as TokenEntry[];
        const rows = found.map(({ token, provider, mode, status, scopes, ...entry }) => ({
          token,
          provider,
          mode,
          status,
          scopes: isJson(command) ? scopes : `${scopes.length}`,
          created_at: new Date(entry.created_at),
          reference: entry.reference,
          ...(isJson(command) && { metadata: entry.metadata }),
        }));
        printRows(command, rows, "The client has no token, or none of that kind.");
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
        await tokens.disconnectById(parseId("token", tokenId));
        printFields(command, { token: tokenId, disconnected: true });
      }),
    );
}

function addReceiptCommand(token: Command): void {
  token
    .command("receipt <token_id>")
    .description("what was deleted when a token ended, as its client gets it")
    .option("--client <client_id>", "whose token; default: the demo client")
    .addHelpText("after", formatExamples(`token receipt ${exampleId} --client ${exampleClientId}`))
    .action((tokenId: TokenId, options: { client?: string }, command: Command) =>
      withServices(command, async (services) => {
        const client = await chooseClient(services, options.client);
        const { tokens, clients } = services;
        const { body, headers } = await tokens.signReceipt(
          parseId("token", tokenId),
          client,
          clients,
        );
        printFields(command, { receipt: body, ...headers });
      }),
    );
}

function addExportCommand(token: Command): void {
  token
    .command("export <token_id>")
    .description("all that is stored of a connection but its credentials, as JSON")
    .option("--client <client_id>", "whose token; default: the demo client")
    .addHelpText(
      "after",
      formatExamples(`token export ${exampleId} --client ${exampleClientId} > export.json`),
    )
    .action((tokenId: TokenId, options: { client?: string }, command: Command) =>
      withServices(command, async (services) => {
        const { clientId } = await chooseClient(services, options.client);
        const pieces = await services.sync.export(clientId, parseId("token", tokenId));
        await pipeline(pieces, process.stdout, { end: false });
        process.stdout.write("\n");
      }),
    );
}
