import type { Command } from "commander";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { reportFailure } from "./report-failure.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { isJson, printLine } from "./output.ts";
import type { EmployeesBody, ReceivedWebhook } from "./receive-webhooks.ts";

interface ListenOptions {
  client?: string;
  port: string;
  count?: string;
  body?: boolean;
}

const listenExample = `
Example, in local mode:
  $ rollcall webhook listen --port 4000
  $ rollcall client update --webhook-uri http://127.0.0.1:4000/`;

export function addWebhookCommands(webhook: Command): void {
  webhook
    .command("listen")
    .description("receive webhooks on this machine, verify and print them")
    .option("--client <client_id>", "whose webhooks")
    .option("--port <port>", "port on 127.0.0.1", "4000")
    .option("--count <count>", "end after so many")
    .option("--body", "print the whole body, which is personal data")
    .addHelpText("after", listenExample)
    .action((options: ListenOptions, command: Command) =>
      reportFailure(command, () => listen(options, command)),
    );
}

async function listen(options: ListenOptions, command: Command): Promise<void> {
  const { port, count } = parseNumbers(options);
  const readSecrets = (): Promise<string[]> => readSecretsOf(options.client, command);
  const secrets = await readSecrets();
  if (secrets.length === 0) return;
  const onReceived = (webhook: ReceivedWebhook): void =>
    printWebhook(command, webhook, options.body === true);
  const { receiveWebhooks } = await import("./receive-webhooks.ts");
  try {
    await receiveWebhooks({ port, count, secrets, readSecrets, onReceived });
  } catch (error) {
    if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    throw new CommandFailure(`port ${port} is in use; choose another with --port`, "port_in_use");
  }
}

type Counts = Record<"added" | "removed" | "updated", number>;

function formatCounts(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
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
  await withServices(command, async (services) => {
    secrets = services.clients.revealSecrets(await chooseClient(services, client));
  });
  return secrets;
}

function printWebhook(
  command: Command,
  { id, token, event, isVerified, isStandardVerified, body }: ReceivedWebhook,
  showsBody: boolean,
): void {
  const counts = "type" in body ? undefined : countsOf(body);
  if (isJson(command))
    return printLine(
      JSON.stringify({
        id,
        token,
        event,
        verified: isVerified,
        standard_verified: isStandardVerified,
        ...counts,
        ...(showsBody && { body }),
      }),
    );
  const verified = counts ? "verified both ways" : "verified";
  const result = isVerified && isStandardVerified ? verified : "NOT VERIFIED";
  printLine(`${id}  token ${token}  ${result}  ${counts ? formatCounts(counts) : event}`);
  if (showsBody) printLine(JSON.stringify(body, null, 2));
}

function countsOf({ added, removed, updated }: EmployeesBody): Counts {
  return { added: added.length, removed: removed.length, updated: updated.length };
}
