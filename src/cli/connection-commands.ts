import { Option, type Command } from "commander";
import { checkScopes, type SignInRequest, type SignInStep } from "../connect/index.ts";
import { isScope, modes, scopesOfMode, type Mode, type Scope } from "../model/index.ts";
import { transaction } from "../platform/db/index.ts";
import { listFormFields } from "../providers/index.ts";
import type { Services } from "../services.ts";
import { findClient } from "./client-commands.ts";
import { CommandFailure, isJson, UsageFailure, withServices } from "./command-context.ts";
import { printFields } from "./output.ts";
import { ask, completeFormValues, readGivenValues, type FormValueOptions } from "./form-values.ts";
import { parseTokenId } from "./token-commands.ts";

interface CreateOptions extends FormValueOptions {
  client: string;
  provider: string;
  mode: Mode;
  scope?: string;
  redirectUri?: string;
}

export function addConnectionCommands(program: Command): void {
  const connection = program
    .command("connection")
    .description("sign in to a provider from the terminal");

  withFieldOptions(connection.command("create"))
    .description(
      "sign in and print an authorization code, which is exchanged as after the hosted sign-in",
    )
    .requiredOption("--client <client_id>", "who will read the data")
    .requiredOption("--provider <name>", "where to sign in, as in GET /providers")
    .addOption(new Option("--mode <mode>", "xhr or official").choices(modes).default("xhr"))
    .option("--scope <scopes>", "separated by spaces; all of the mode when left out")
    .option(
      "--redirect-uri <uri>",
      "the address to name in the exchange; the first registered one when left out",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ rollcall connection create --client 3FDAEDF9-1DCA4F54-87949F6A-41027643 --provider sandbox --field username=user_good --field password=x\n  $ rollcall connection create --client 3FDAEDF9-1DCA4F54-87949F6A-41027643 --provider odoo",
    )
    .action(createConnection);

  withFieldOptions(connection.command("reauth"))
    .description("sign in again, so that the same access token works")
    .requiredOption("--token <token_id>", "whose connection")
    .addHelpText(
      "after",
      "\nExample:\n  $ rollcall connection reauth --token 01a1fd50-5c1e-7c3a-9d0e-2f6b8a4c1e77",
    )
    .action(reauthenticateConnection);
}

async function createConnection(options: CreateOptions, command: Command): Promise<void> {
  await withServices(command, async (services) => {
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
  });
}

async function reauthenticateConnection(
  options: FormValueOptions & { token: string },
  command: Command,
): Promise<void> {
  await withServices(command, async (services) => {
    const tokenId = parseTokenId(options.token);
    const request = await services.connect.findReauthentication(tokenId);
    const signIn = await signInAtTerminal(services, request, options);
    await transaction(services.pool, (tx) => services.connect.reauthenticate(tx, tokenId, signIn));
    printFields({ token: tokenId, status: "active" }, { isJson: isJson(command) });
  });
}

function withFieldOptions(command: Command): Command {
  return command
    .option(
      "--field <name=value...>",
      "a value of the provider's form; what is left out is asked for",
    )
    .option("--fields-file <file>", "read further values, a line each, from standard input (-)");
}

async function signInAtTerminal(
  services: Services,
  request: SignInRequest,
  options: FormValueOptions,
): Promise<Extract<SignInStep, { kind: "signed-in" }>["signIn"]> {
  const mode = services.registry.findMode(request.provider, request.mode);
  if (!mode)
    throw new CommandFailure(
      `there is no provider ${request.provider} in mode ${request.mode}`,
      "not_found",
    );
  const fields = listFormFields(mode.form);
  const given = await readGivenValues(options, fields, {
    allowsSecretArguments: request.provider === "sandbox",
  });
  let step = await services.connect.start(request, await completeFormValues(fields, given));
  while (step.kind === "challenge") {
    const { challenge } = step;
    const otp =
      given.get(challenge.kind) ??
      (await ask({ name: challenge.kind, title: challenge.prompt, isSecret: false }));
    step = await services.connect.answer(request, challenge, otp);
  }
  return step.signIn;
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
