import { Option, type Command } from "commander";
import type { Client } from "../clients/index.ts";
import type { Label } from "../connections/index.ts";
import type { Mode, Scope } from "../model/index.ts";
import type { Services } from "../start/services.ts";
import { checkOption } from "./check-option.ts";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { exampleClientId, exampleId, formatExamples } from "./format-examples.ts";
import { printFields, type Row } from "./output.ts";
import { parseId } from "./parse-arguments.ts";
import type { FormValueOptions } from "./form-values.ts";
import { withValueOptions } from "./value-options.ts";

export function addConnectionCommands(connection: Command): void {
  addCreateCommand(connection);
  addReauthCommand(connection);
  addReauthLinkCommand(connection);
}

interface CreateOptions extends FormValueOptions {
  client?: string;
  provider: string;
  exchange?: boolean;
  mode: Mode;
  scope?: string;
  redirectUri?: string;
  reference?: string;
  metadata?: string;
}

const createExamples = [
  "connection create --provider sandbox --field username=user_good --field password=x --exchange",
  `connection create --client ${exampleClientId} --provider odoo`,
];

function addCreateCommand(connection: Command): void {
  withValueOptions(connection.command("create"))
    .description("sign in and print an authorization code, to be exchanged like any other")
    .option("--client <client_id>", "who will read the data; default: the demo client")
    .requiredOption("--provider <name>", "where to sign in, as in GET /providers")
    .addOption(
      new Option("--mode <mode>", "xhr or official").choices(["xhr", "official"]).default("xhr"),
    )
    .option("--scope <scopes>", "separated by spaces; default: all of the mode")
    .option("--redirect-uri <uri>", "the address to name in the exchange; default: the first one")
    .option(
      "--reference <reference>",
      "what the client calls the connection, such as its customer's id",
    )
    .option("--metadata <json>", "a JSON object of up to 2 kB to keep beside it")
    .option("--exchange", "exchange the code at once and print the access token")
    .addHelpText("after", formatExamples(...createExamples))
    .action((options: CreateOptions, command: Command) =>
      withServices(command, async (services) => {
        const client = await chooseClient(services, options.client);
        const made = await createConnection(services, client, options);
        const fields = options.exchange
          ? await exchangeCode(services, client, made)
          : { code: made.code, redirect_uri: made.redirectUri, expires_at: made.expiresAt };
        printFields(command, fields);
      }),
    );
}

interface Made {
  code: string;
  redirectUri: string;
  expiresAt: Date;
}

async function createConnection(
  services: Services,
  client: Client,
  options: CreateOptions,
): Promise<Made> {
  const [{ transaction }, { signInAtTerminal }] = await Promise.all([
    import("../platform/db/index.ts"),
    import("./sign-in-at-terminal.ts"),
  ]);
  const { provider, mode } = options;
  const { clientId } = client;
  const request = { clientId, provider, mode, scopes: await parseScopes(options) };
  const label = await parseLabel(options);
  const redirectUri = options.redirectUri ?? client.redirectUris[0] ?? "";
  const signIn = await signInAtTerminal(services, request, options);
  const { code, expiresAt } = await transaction(services.pool, (tx) =>
    services.connect.complete(tx, client, request, {
      redirectUri,
      codeChallenge: null,
      signIn,
      label,
    }),
  );
  return { code, redirectUri, expiresAt };
}

async function parseLabel({ reference, metadata }: CreateOptions): Promise<Label | null> {
  const { labelFields, readLabel } = await import("../connections/index.ts");
  return readLabel({
    reference: checkOption("reference", labelFields.reference, reference),
    metadata: checkOption("metadata", labelFields.metadata, metadata && parseObject(metadata)),
  });
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageFailure("--metadata: has to be a JSON object");
  }
}

async function exchangeCode(
  { clients, tokens }: Services,
  client: Client,
  { code, redirectUri }: Made,
): Promise<Row> {
  const issued = await tokens.redeem({
    clientId: client.clientId,
    clientSecrets: clients.revealSecrets(client),
    code,
    redirectUri,
    codeVerifier: undefined,
  });
  return { access_token: issued.accessToken, token: issued.id };
}

interface ReauthOptions {
  token: string;
  anyAccount?: boolean;
}

function addReauthLinkCommand(connection: Command): void {
  connection
    .command("reauth-link")
    .description("print a one-time link with which the end user signs in again")
    .requiredOption("--token <token_id>", "whose connection")
    .option("--any-account", "let another account take the place of the one before")
    .addHelpText("after", formatExamples(`connection reauth-link --token ${exampleId}`))
    .action((options: ReauthOptions, command: Command) =>
      withServices(command, async (services) => {
        const { createReauthenticationLink } = await import("../connect/index.ts");
        const { clients, config, connections } = services;
        const tokenId = parseId("token", options.token);
        const { clientId = "" } = (await connections.loadByToken(tokenId)) ?? {};
        const client = await clients.find(clientId);
        if (!client)
          throw new CommandFailure("the token is not known or was disconnected", "not_found");
        const { credential, expiresAt } = await createReauthenticationLink(
          { ...services, environment: config.environment },
          client,
          { tokenId, mayChangeAccount: options.anyAccount ?? false },
        );
        const url = `${config.publicUrl}/connect?session=${credential}`;
        printFields(command, { connect_url: url, expires_at: expiresAt });
      }),
    );
}

function addReauthCommand(connection: Command): void {
  withValueOptions(connection.command("reauth"))
    .description("sign in again, so that the same access token works")
    .requiredOption("--token <token_id>", "whose connection")
    .option("--any-account", "also when another account is signed in to than before")
    .addHelpText("after", formatExamples(`connection reauth --token ${exampleId}`))
    .action((options: FormValueOptions & ReauthOptions, command: Command) =>
      withServices(command, async (services) => {
        const tokenId = parseId("token", options.token);
        const request = await services.connect.findReauthentication(tokenId, {
          mayChangeAccount: options.anyAccount ?? false,
        });
        const [{ transaction }, { signInAtTerminal }] = await Promise.all([
          import("../platform/db/index.ts"),
          import("./sign-in-at-terminal.ts"),
        ]);
        const signIn = await signInAtTerminal(services, request, options);
        await transaction(services.pool, async (tx) => {
          await services.connections.lockForSignIn(tx, tokenId);
          await services.connect.reauthenticate(tx, tokenId, signIn);
        });
        printFields(command, { token: tokenId, status: "active" });
      }),
    );
}

async function parseScopes({ scope, mode }: CreateOptions): Promise<Scope[]> {
  const { InvalidRequest, isScope, modeOfScopes, scopesOfMode } = await import("../model/index.ts");
  if (scope === undefined) return scopesOfMode(mode);
  const values = scope.split(/\s+/).filter((value) => value !== "");
  const unknown = values.filter((value) => !isScope(value));
  if (unknown.length > 0) throw new UsageFailure(`no such scope: ${unknown.join(" ")}`);
  const scopes = values.filter(isScope);
  if (scopes.length === 0) throw new InvalidRequest("scope: is required");
  if (modeOfScopes(scopes) !== mode)
    throw new InvalidRequest(`scope: all scopes are of mode ${mode}`);
  return scopes;
}
