import { Option, type Command } from "commander";
import { checkScopes } from "../connect/index.ts";
import { isScope, modes, scopesOfMode, type Mode, type Scope } from "../model/index.ts";
import { transaction } from "../platform/db/index.ts";
import { findClient } from "./client-commands.ts";
import { isJson, UsageFailure, withServices } from "./command-context.ts";
import { exampleClientId, exampleId, formatExamples } from "./format-examples.ts";
import { printFields } from "./output.ts";
import { parseTokenId } from "./parse-arguments.ts";
import type { FormValueOptions } from "./form-values.ts";
import { signInAtTerminal } from "./sign-in-at-terminal.ts";

export function addConnectionCommands(program: Command): void {
  const connection = program
    .command("connection")
    .description("sign in to a provider from the terminal");
  addCreateCommand(connection);
  addReauthCommand(connection);
}

interface CreateOptions extends FormValueOptions {
  client: string;
  provider: string;
  mode: Mode;
  scope?: string;
  redirectUri?: string;
}

const createExamples = [
  `connection create --client ${exampleClientId} --provider sandbox` +
    " --field username=user_good --field password=x",
  `connection create --client ${exampleClientId} --provider odoo`,
];

function addCreateCommand(connection: Command): void {
  withValueOptions(connection.command("create"))
    .description("sign in and print an authorization code, to be exchanged like any other")
    .requiredOption("--client <client_id>", "who will read the data")
    .requiredOption("--provider <name>", "where to sign in, as in GET /providers")
    .addOption(new Option("--mode <mode>", "xhr or official").choices(modes).default("xhr"))
    .option("--scope <scopes>", "separated by spaces; default: all of the mode")
    .option("--redirect-uri <uri>", "the address to name in the exchange; default: the first one")
    .addHelpText("after", formatExamples(...createExamples))
    .action((options: CreateOptions, command: Command) =>
      withServices(command, async (services) => {
        const client = await findClient(services.clients, options.client);
        const request = {
          provider: options.provider,
          mode: options.mode,
          scopes: parseScopes(options),
        };
        const redirectUri = options.redirectUri ?? client.redirectUris[0] ?? "";
        const signIn = await signInAtTerminal(services, request, options);
        const { code, expiresAt } = await transaction(services.pool, (tx) =>
          services.connect.complete(tx, client, request, {
            redirectUri,
            codeChallenge: null,
            signIn,
          }),
        );
        printFields(
          { code, redirect_uri: redirectUri, expires_at: expiresAt },
          { isJson: isJson(command) },
        );
      }),
    );
}

function addReauthCommand(connection: Command): void {
  withValueOptions(connection.command("reauth"))
    .description("sign in again, so that the same access token works")
    .requiredOption("--token <token_id>", "whose connection")
    .addHelpText("after", formatExamples(`connection reauth --token ${exampleId}`))
    .action((options: FormValueOptions & { token: string }, command: Command) =>
      withServices(command, async (services) => {
        const tokenId = parseTokenId(options.token);
        const request = await services.connect.findReauthentication(tokenId);
        const signIn = await signInAtTerminal(services, request, options);
        await transaction(services.pool, (tx) =>
          services.connect.reauthenticate(tx, tokenId, signIn),
        );
        printFields({ token: tokenId, status: "active" }, { isJson: isJson(command) });
      }),
    );
}

function withValueOptions(command: Command): Command {
  return command
    .option(
      "--field <name=value...>",
      "a value of the provider's form, or an answer to its question as otp, text or choose; missing ones are " +
        "asked for at the terminal",
    )
    .option("--fields-file <file>", "read further values, one a line, from standard input (-)");
}

function parseScopes({ scope, mode }: CreateOptions): Scope[] {
  if (scope === undefined) return scopesOfMode(mode);
  const values = scope.split(/\s+/).filter((value) => value !== "");
  const unknown = values.filter((value) => !isScope(value));
  if (unknown.length > 0) throw new UsageFailure(`no such scope: ${unknown.join(" ")}`);
  const scopes = values.filter(isScope);
  checkScopes(scopes, mode);
  return scopes;
}
