import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { z } from "zod";
import type { Client, ClientChange } from "../clients/index.ts";
import type { ClientId } from "../model/index.ts";
import type { Services } from "../start/services.ts";
import { checkOption } from "./check-option.ts";
import { chooseClient } from "./choose-client.ts";
import { toRow, toSecretFields } from "./client-row.ts";
import { addConfirmCommand } from "./confirm-client-command.ts";
import { addEndCommand } from "./end-client-command.ts";
import { withServices } from "./command-context.ts";
import { UsageFailure } from "./command-failure.ts";
import { parseCount } from "./parse-arguments.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { isJson, printFields, printRows } from "./output.ts";

const colorHelp = "the colour of its sign-in pages, such as #1f5aa6; shown with CLIENT_BRANDING=on";

export function addClientCommands(client: Command): void {
  addCreateCommand(client);
  addListCommand(client);
  addShowCommand(client);
  addUpdateCommand(client);
  addConfirmCommand(client);
  addEndCommand(client);
}

function addCreateCommand(client: Command): void {
  client
    .command("create")
    .description("register a client; its secret is shown this once")
    .requiredOption("--name <name>", "what end users see")
    .requiredOption("--redirect-uri <uri...>", "where sign-in links may lead back to")
    .option("--require-pkce", "refuse sign-in links without a code_challenge")
    .option("--logo <file>", "a PNG of up to 100 kB that the sign-in pages show")
    .option("--brand-color <color>", colorHelp)
    .option("--purpose <sentence>", "what the data is for, as end users read it")
    .option("--privacy-url <url>", "its privacy policy")
    .option("--support-url <url>", "its help for end users; https or mailto:")
    .addHelpText(
      "after",
      formatExamples(
        'client create --name "Acme" --redirect-uri https://app.acme.example/callback',
      ),
    )
    .action((options: CreateOptions, command: Command) =>
      withServices(command, async (services) => {
        const fields = await fieldsOf(services);
        const { requirePkce } = options;
        const profile = { ...(await toProfile(services, options)), requirePkce };
        const { client, secret } = await services.clients.create(
          {
            name: checkOption("name", fields.name, options.name),
            redirectUris: checkOption("redirect-uri", fields.redirect_uris, options.redirectUri),
          },
          profile,
        );
        printFields(command, { ...(await toRow(services, client)), client_secret: secret });
        if (!requirePkce && !isJson(command)) advisePkce(client);
      }),
    );
}

function advisePkce({ clientId }: Client): void {
  process.stderr.write(
    "Sign-in links of this client are taken without PKCE, so that a code that is stolen on its way can be used. Once the\n" +
      `application sends code_challenge: rollcall client update ${clientId} --require-pkce\n`,
  );
}

function addListCommand(client: Command): void {
  client
    .command("list")
    .description("the clients that have not ended")
    .option("--all", "also those that have ended, or are about to")
    .addHelpText("after", formatExamples("client list", "client list --all --json"))
    .action(({ all = false }: { all?: boolean }, command: Command) =>
      withServices(command, async (services) => {
        const { clients } = services;
        const ended = all ? await clients.list({ areEnded: true }) : [];
        const found = [...(await clients.list()), ...ended];
        printRows(
          command,
          await Promise.all(found.map((each) => toRow(services, each))),
          "There is no client yet. Make one with: rollcall client create",
        );
      }),
    );
}

function addShowCommand(client: Command): void {
  client
    .command("show [client_id]")
    .description("one client; default: the demo client")
    .option("--secrets", "also its secrets, and each in the form for Standard Webhooks libraries")
    .addHelpText(
      "after",
      formatExamples(`client show ${exampleClientId}`, `client show ${exampleClientId} --secrets`),
    )
    .action((clientId: ClientId | undefined, options: { secrets?: boolean }, command: Command) =>
      withServices(command, async (services) => {
        const found = await chooseClient(services, clientId, (id) =>
          services.clients.findAlsoEnded(id),
        );
        const secrets = options.secrets
          ? toSecretFields(services.clients.revealSecrets(found))
          : {};
        printFields(command, { ...(await toRow(services, found)), ...secrets });
      }),
    );
}

interface ProfileOptions {
  logo?: string | false;
  brandColor?: string | false;
  purpose?: string | false;
  privacyUrl?: string | false;
  supportUrl?: string | false;
}

interface CreateOptions extends ProfileOptions {
  name: string;
  redirectUri: string[];
  requirePkce?: boolean;
}

interface UpdateOptions extends ProfileOptions {
  name?: string;
  redirectUri?: string[];
  webhookUri?: string | false;
  eventUri?: string | false;
  eventTypes?: string[] | false;
  pollResources?: string[] | false;
  rotateSecret?: boolean;
  keepSecrets?: string;
  requestsPer5Minutes?: string | false;
  requirePkce?: boolean;
  allowSandbox?: boolean;
  fieldsOff?: string[] | false;
}

const updateExamples = [
  `client update ${exampleClientId} --rotate-secret`,
  `client update ${exampleClientId} --webhook-uri https://app.acme.example/webhooks`,
  `client update ${exampleClientId} --fields-off bank_account tax_id`,
];

function addUpdateCommand(client: Command): void {
  client
    .command("update [client_id]")
    .description("change a client; default: the demo client")
    .option("--name <name>", "what end users see")
    .option("--redirect-uri <uri...>", "replaces the registered addresses")
    .option("--webhook-uri <uri>", "where employee webhooks go")
    .option("--no-webhook-uri", "send no webhooks")
    .option("--event-uri <uri>", "where events go")
    .option("--no-event-uri", "send no events")
    .option("--event-types <type...>", "the events that are sent")
    .option("--no-event-types", "send all of them")
    .option("--poll-resources <resource...>", "what is polled for changes")
    .option("--no-poll-resources", "poll the usual: employees, as long as there is an address")
    .option(
      "--rotate-secret",
      "make a new secret, which signs webhooks from now on; the latest two others stay valid",
    )
    .option("--keep-secrets <count>", "keep only the newest secrets, 1 to 3")
    .option(
      "--requests-per-5-minutes <count>",
      "how often it may ask one endpoint in five minutes, in place of the service's limit",
    )
    .option("--no-requests-per-5-minutes", "as often as every client")
    .option("--require-pkce", "refuse sign-in links without a code_challenge")
    .option("--no-require-pkce", "accept sign-in links without a code_challenge")
    .option("--allow-sandbox", "let end users sign in to the sandbox in prod")
    .option("--no-allow-sandbox", "offer the sandbox's sign-in in dev alone")
    .option("--fields-off <field...>", "what is not read of employees; replaces the earlier list")
    .option("--no-fields-off", "read all fields of employees")
    .option("--logo <file>", "a PNG of up to 100 kB that the sign-in pages show")
    .option("--no-logo", "show the first letter of the name")
    .option("--brand-color <color>", colorHelp)
    .option("--no-brand-color", "have the colour of the service")
    .option("--purpose <sentence>", "what the data is for, as end users read it")
    .option("--no-purpose", "say nothing about it")
    .option("--privacy-url <url>", "its privacy policy")
    .option("--no-privacy-url", "link to none")
    .option("--support-url <url>", "its help for end users; https or mailto:")
    .option("--no-support-url", "link to none")
    .addHelpText("after", formatExamples(...updateExamples))
    .action((clientId: ClientId | undefined, options: UpdateOptions, command: Command) =>
      withServices(command, async (services) => {
        const found = await chooseClient(services, clientId);
        const { secrets, newSecret } = chooseSecrets(services, found, options);
        const profile = await toProfile(services, options);
        const change = { ...(await toChange(services, options)), ...profile, secrets };
        if (isEmpty(change))
          throw new UsageFailure("name at least one thing to change; see --help");
        const updated = await services.clients.update(found, change);
        printFields(command, {
          ...(await toRow(services, updated)),
          ...(newSecret && { client_secret: newSecret }),
        });
      }),
    );
}

async function toChange(services: Services, options: UpdateOptions): Promise<ClientChange> {
  const fields = await fieldsOf(services);
  const { eventUri, eventTypes, pollResources } = options;
  const { name, redirectUri, webhookUri, requirePkce, allowSandbox, fieldsOff } = options;
  return {
    name: name === undefined ? undefined : checkOption("name", fields.name, name),
    redirectUris: redirectUri && checkOption("redirect-uri", fields.redirect_uris, redirectUri),
    webhookUri: checkOrRemove("webhook-uri", fields.webhook_uri, webhookUri),
    eventUri: checkOrRemove("event-uri", fields.event_uri, eventUri),
    eventTypes: checkOrRemove("event-types", fields.event_types, eventTypes),
    pollResources: checkOrRemove("poll-resources", fields.poll_resources, pollResources),
    requestsPer5Minutes: parseLimit(options.requestsPer5Minutes),
    requirePkce,
    allowSandbox,
    fieldsOff:
      fieldsOff === undefined
        ? undefined
        : checkOption("fields-off", fields.fields_off, fieldsOff || []),
  };
}

const mostPer5Minutes = 1_000_000;

/** Null takes the client's own limit away. */
function parseLimit(value: string | false | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  if (value === false) return null;
  return parseCount("--requests-per-5-minutes", value, mostPer5Minutes);
}

/** What the sign-in pages show of the client. */
async function toProfile(
  services: Services,
  { logo, brandColor, purpose, privacyUrl, supportUrl }: ProfileOptions,
): Promise<ClientChange> {
  const fields = await fieldsOf(services);
  const encoded = typeof logo === "string" ? await readBase64(logo) : logo;
  return {
    logo: checkOrRemove("logo", fields.logo, encoded),
    brandColor: checkOrRemove("brand-color", fields.brand_color, brandColor),
    purpose: checkOrRemove("purpose", fields.purpose, purpose),
    privacyUrl: checkOrRemove("privacy-url", fields.privacy_url, privacyUrl),
    supportUrl: checkOrRemove("support-url", fields.support_url, supportUrl),
  };
}

async function readBase64(file: string): Promise<string> {
  try {
    return await readFile(file, "base64");
  } catch {
    throw new UsageFailure(`--logo: ${file} cannot be read; name a PNG file`);
  }
}

function isEmpty(change: ClientChange): boolean {
  return Object.values(change).every((value) => value === undefined);
}

const maxSecrets = 3;

/** The client's new list of secrets, the newest first. Undefined when no option changes them. */
function chooseSecrets(
  { clients }: Services,
  client: Client,
  { rotateSecret, keepSecrets }: UpdateOptions,
): { secrets?: string[]; newSecret?: string } {
  if (!rotateSecret && keepSecrets === undefined) return {};
  const count =
    keepSecrets === undefined ? maxSecrets : parseCount("--keep-secrets", keepSecrets, maxSecrets);
  if (!rotateSecret) return { secrets: clients.revealSecrets(client).slice(0, count) };
  const { secrets, newSecret } = clients.rotateSecrets(client);
  return { secrets: secrets.slice(0, count), newSecret };
}

async function fieldsOf({ clients }: Services) {
  const { clientFields } = await import("../clients/index.ts");
  return clientFields(clients.addressRules);
}

/** An option that is `false` takes the value away. */
function checkOrRemove<Schema extends z.ZodType>(
  option: string,
  schema: Schema,
  value: string | readonly string[] | false | undefined,
): z.output<Schema> | null | undefined {
  if (value === undefined) return undefined;
  return value === false ? null : checkOption(option, schema, value);
}
