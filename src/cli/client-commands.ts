import type { Command } from "commander";
import type { z } from "zod";
import { clientFields, type Client, type ClientChange } from "../clients/index.ts";
import { mintCredential } from "../platform/crypto/index.ts";
import type { Services } from "../services.ts";
import { CommandFailure, isJson, UsageFailure, withServices } from "./command-context.ts";
import { printFields, printRows, type Row } from "./output.ts";

const secretsAtOnce = 3;

export function addClientCommands(program: Command): void {
  const client = program.command("client").description("developers who use the API");

  client
    .command("create")
    .description("register a client; its secret is shown this once")
    .requiredOption("--name <name>", "what end users see")
    .requiredOption("--redirect-uri <uri...>", "where sign-in links may lead back to")
    .addHelpText(
      "after",
      '\nExample:\n  $ rollcall client create --name "Acme" --redirect-uri https://app.acme.example/callback',
    )
    .action((options: { name: string; redirectUri: string[] }, command: Command) =>
      withServices(command, async (services) => {
        const fields = fieldsOf(services);
        const created = await services.clients.create({
          name: check("name", fields.name, options.name),
          redirectUris: check("redirect-uri", fields.redirect_uris, options.redirectUri),
        });
        printFields(
          { ...(await toRow(services, created.client)), client_secret: created.secret },
          { isJson: isJson(command) },
        );
      }),
    );

  client
    .command("list")
    .description("all clients")
    .addHelpText("after", "\nExamples:\n  $ rollcall client list\n  $ rollcall client list --json")
    .action((_options: object, command: Command) =>
      withServices(command, async (services) => {
        const found = await services.clients.list();
        printRows(await Promise.all(found.map((each) => toRow(services, each))), {
          isJson: isJson(command),
          empty: "There is no client yet. Make one with: rollcall client create",
        });
      }),
    );

  client
    .command("show <client_id>")
    .description("one client")
    .option(
      "--secrets",
      "also its secrets, each also in the form that Standard Webhooks libraries take",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ rollcall client show 3FDAEDF9-1DCA4F54-87949F6A-41027643\n  $ rollcall client show 3FDAEDF9-1DCA4F54-87949F6A-41027643 --secrets",
    )
    .action((clientId: string, options: { secrets?: boolean }, command: Command) =>
      withServices(command, async (services) => {
        const { clients } = services;
        const found = await findClient(clients, clientId);
        const secrets = options.secrets ? clients.revealSecrets(found) : [];
        const shown = options.secrets
          ? {
              client_secret: secrets,
              webhook_secret: secrets.map(
                (secret) => `whsec_${Buffer.from(secret).toString("base64")}`,
              ),
            }
          : {};
        printFields({ ...(await toRow(services, found)), ...shown }, { isJson: isJson(command) });
      }),
    );

  addUpdateCommand(client);
}

interface UpdateOptions {
  name?: string;
  redirectUri?: string[];
  webhookUri?: string | false;
  rotateSecret?: boolean;
  keepSecrets?: string;
  requirePkce?: boolean;
}

function addUpdateCommand(client: Command): void {
  client
    .command("update <client_id>")
    .description("change a client")
    .option("--name <name>", "what end users see")
    .option("--redirect-uri <uri...>", "replaces the registered addresses")
    .option("--webhook-uri <uri>", "where employee webhooks go")
    .option("--no-webhook-uri", "send no webhooks")
    .option(
      "--rotate-secret",
      "make a new secret, which signs webhooks from now on; the latest two others stay valid",
    )
    .option("--keep-secrets <count>", "keep only the newest secrets, 1 to 3")
    .option("--require-pkce", "refuse sign-in links without a code_challenge")
    .option("--no-require-pkce", "take sign-in links without a code_challenge")
    .addHelpText(
      "after",
      "\nExamples:\n  $ rollcall client update 3FDAEDF9-1DCA4F54-87949F6A-41027643 --rotate-secret\n  $ rollcall client update 3FDAEDF9-1DCA4F54-87949F6A-41027643 --webhook-uri https://app.acme.example/webhooks",
    )
    .action((clientId: string, options: UpdateOptions, command: Command) =>
      withServices(command, async (services) => {
        const found = await findClient(services.clients, clientId);
        const { change, newSecret } = toChange(services, found, options);
        if (Object.values(change).every((value) => value === undefined))
          throw new UsageFailure("name at least one thing to change; see --help");
        const updated = await services.clients.update(found, change);
        printFields(
          { ...(await toRow(services, updated)), ...(newSecret && { client_secret: newSecret }) },
          { isJson: isJson(command) },
        );
      }),
    );
}

function toChange(
  services: Services,
  client: Client,
  options: UpdateOptions,
): { change: ClientChange; newSecret: string | undefined } {
  const { clients, config } = services;
  const fields = fieldsOf(services);
  const newSecret = options.rotateSecret ? mintCredential("cs", config.environment) : undefined;
  const kept = options.keepSecrets === undefined ? secretsAtOnce : Number(options.keepSecrets);
  if (!Number.isInteger(kept) || kept < 1 || kept > secretsAtOnce)
    throw new UsageFailure("--keep-secrets is 1, 2 or 3");
  const changesSecrets = newSecret !== undefined || options.keepSecrets !== undefined;
  const secrets = [...(newSecret ? [newSecret] : []), ...clients.revealSecrets(client)].slice(
    0,
    kept,
  );
  const { webhookUri } = options;
  const change: ClientChange = {
    name: options.name === undefined ? undefined : check("name", fields.name, options.name),
    redirectUris:
      options.redirectUri && check("redirect-uri", fields.redirect_uris, options.redirectUri),
    webhookUri:
      webhookUri === undefined
        ? undefined
        : webhookUri === false
          ? null
          : check("webhook-uri", fields.webhook_uri, webhookUri),
    secrets: changesSecrets ? secrets : undefined,
    requirePkce: options.requirePkce,
  };
  return { change, newSecret };
}

export async function findClient(clients: Services["clients"], clientId: string): Promise<Client> {
  const found = await clients.find(clientId);
  if (!found) throw new CommandFailure(`no client has the id ${clientId}`, "not_found");
  return found;
}

function fieldsOf({ clients }: Services) {
  return clientFields(clients.addressRules);
}

function check<Schema extends z.ZodType>(
  option: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageFailure(
    `--${option}: ${parsed.error.issues.map(({ message }) => message).join("; ")}`,
  );
}

async function toRow({ webhooks }: Services, client: Client): Promise<Row> {
  return {
    client_id: client.clientId,
    name: client.name,
    redirect_uris: client.redirectUris,
    webhook_uri: client.webhookUri,
    webhook_status: await webhooks.statusOf(client.clientId),
    require_pkce: client.requirePkce,
    created_at: client.createdAt,
  };
}
