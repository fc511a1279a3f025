import type { Command } from "commander";
import { readDemo } from "../local-state.ts";
import { findClient } from "./client-commands.ts";
import { CommandFailure, fail, isJson, UsageFailure, withServices } from "./command-context.ts";
import { printLine } from "./output.ts";
import { receiveWebhooks, type ReceivedWebhook } from "./receive-webhooks.ts";

export function addWebhookCommands(program: Command): void {
  const webhook = program.command("webhook").description("try out webhooks");
  addListenCommand(webhook);
}

interface ListenOptions {
  client?: string;
  port: string;
  count?: string;
  body?: boolean;
}

const listenExample = `
Example, in local mode:
  $ rollcall webhook listen --port 4000
  $ rollcall client update <client_id> --webhook-uri http://127.0.0.1:4000/`;

function addListenCommand(webhook: Command): void {
  webhook
    .command("listen")
    .description("receive webhooks on this machine, verify and print them")
    .option("--client <client_id>", "whose secrets verify them; default: the demo client")
    .option("--port <port>", "port on 127.0.0.1", "4000")
    .option("--count <count>", "end after so many")
    .option("--body", "print the whole body, which is personal data")
    .addHelpText("after", listenExample)
    .action(async (options: ListenOptions, command: Command) => {
      try {
        await listen(options, command);
      } catch (error) {
        fail(command, error);
      }
    });
}

async function listen(options: ListenOptions, command: Command): Promise<void> {
  const { port, count } = parseNumbers(options);
  const readSecrets = (): Promise<string[]> => readSecretsOf(options.client, command);
  const secrets = await readSecrets();
  if (secrets.length === 0) return;
  const onReceived = (webhook: ReceivedWebhook): void =>
    printWebhook(webhook, { isJson: isJson(command), showsBody: options.body === true });
  try {
    await receiveWebhooks({ port, count, secrets, readSecrets, onReceived });
  } catch (error) {
    if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    throw new CommandFailure(`port ${port} is in use; choose another with --port`, "port_in_use");
  }
}

function parseNumbers(options: ListenOptions): { port: number; count: number } {
  const port = Number(options.port);
  const count = options.count === undefined ? Infinity : Number(options.count);
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || !(count >= 1))
    throw new UsageFailure("--port has to be from 1 to 65535, and --count at least 1");
  return { port, count };
}

/** Empty when the secrets cannot be read. The error is printed then. */
async function readSecretsOf(client: string | undefined, command: Command): Promise<string[]> {
  let secrets: string[] = [];
  await withServices(command, async ({ clients, config }) => {
    const clientId = client ?? (await readDemo(config.stateDir))?.client_id;
    if (!clientId) throw new UsageFailure("there is no demo client: name a client with --client");
    secrets = clients.revealSecrets(await findClient(clients, clientId));
  });
  return secrets;
}

function printWebhook(
  { id, token, isVerified, isStandardVerified, body }: ReceivedWebhook,
  { isJson: asJson, showsBody }: { isJson: boolean; showsBody: boolean },
): void {
  const counts = {
    added: body.added.length,
    removed: body.removed.length,
    updated: body.updated.length,
  };
  if (asJson)
    return printLine(
      JSON.stringify({
        id,
        token,
        verified: isVerified,
        standard_verified: isStandardVerified,
        ...counts,
        ...(showsBody && { body }),
      }),
    );
  const result = isVerified && isStandardVerified ? "verified both ways" : "NOT VERIFIED";
  const changes = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  printLine(`${id}  token ${token}  ${result}  ${changes.join(", ")}`);
  if (showsBody) printLine(JSON.stringify(body, null, 2));
}
