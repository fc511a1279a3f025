import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Command } from "commander";
import { readDemo } from "../local-state.ts";
import { findClient } from "./client-commands.ts";
import { CommandFailure, fail, isJson, UsageFailure, withServices } from "./command-context.ts";
import { printLine } from "./output.ts";

interface ListenOptions {
  client?: string;
  port: string;
  count?: string;
  body?: boolean;
}

interface Received {
  id: string;
  token: string;
  isVerified: boolean;
  isStandardVerified: boolean;
  body: Record<"added" | "removed" | "updated", unknown[]>;
}

export function addWebhookCommands(program: Command): void {
  program
    .command("webhook")
    .description("try out webhooks")
    .command("listen")
    .description("receive webhooks on this machine, verify and print them")
    .option("--client <client_id>", "whose secrets verify them; the demo client when left out")
    .option("--port <port>", "port on 127.0.0.1", "4000")
    .option("--count <count>", "end after so many")
    .option("--body", "print the whole body, which is personal data")
    .addHelpText(
      "after",
      "\nExample, in local mode:\n  $ rollcall webhook listen --port 4000\n  $ rollcall client update <client_id> --webhook-uri http://127.0.0.1:4000/",
    )
    .action((options: ListenOptions, command: Command) => listen(options, command));
}

async function listen(options: ListenOptions, command: Command): Promise<void> {
  const port = Number(options.port);
  const count = options.count === undefined ? Infinity : Number(options.count);
  const isUnderstood = Number.isInteger(port) && port >= 1 && port <= 65_535 && count >= 1;
  if (!isUnderstood)
    return fail(command, new UsageFailure("--port is a port, and --count is at least 1"));
  const readSecrets = (): Promise<string[]> => readSecretsOf(options.client, command);
  const secrets = await readSecrets();
  if (secrets.length === 0) return;
  const show = (received: Received): void =>
    print(received, { isJson: isJson(command), showsBody: options.body === true });
  try {
    await receive({ port, count, secrets, readSecrets, print: show });
  } catch (error) {
    fail(
      command,
      (error as { code?: string }).code === "EADDRINUSE"
        ? new CommandFailure(`port ${port} is in use`, "port_in_use")
        : error,
    );
  }
}

/** None when they cannot be read, which has been said then. */
async function readSecretsOf(client: string | undefined, command: Command): Promise<string[]> {
  let secrets: string[] = [];
  await withServices(command, async ({ clients, config }) => {
    const clientId = client ?? (await readDemo(config.stateDir))?.client_id;
    if (!clientId) throw new UsageFailure("--client is needed where there is no demo client");
    secrets = clients.revealSecrets(await findClient(clients, clientId));
  });
  return secrets;
}

interface Receiver {
  port: number;
  count: number;
  secrets: readonly string[];
  /** Secrets are rotated while this listens: what does not verify is held against those of now. */
  readSecrets: () => Promise<readonly string[]>;
  print: (received: Received) => void;
}

async function receive({
  port,
  count,
  secrets: secretsAtStart,
  readSecrets,
  print: show,
}: Receiver): Promise<void> {
  let secrets = secretsAtStart;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let left = count;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(request).catch(() => undefined);
    // Whoever left in the middle gets no answer.
    if (!bytes) return;
    if (!isSignedBy(secrets, request, bytes)) secrets = await readSecrets();
    const isVerified = isSignedBy(secrets, request, bytes);
    const isStandardVerified = isStandardSignedBy(secrets, request, bytes);
    response.writeHead(isVerified && isStandardVerified ? 204 : 401).end();
    const header = (name: string): string => String(request.headers[name] ?? "");
    const body = isVerified
      ? (JSON.parse(bytes.toString()) as Received["body"])
      : { added: [], removed: [], updated: [] };
    show({
      id: header("webhook-id"),
      token: header("x-service-api-token"),
      isVerified,
      isStandardVerified,
      body,
    });
    left -= 1;
    if (left <= 0) response.once("close", () => resolve());
  };
  const server = createServer((request, response) => void answer(request, response).catch(reject));
  server
    .once("error", reject)
    .listen(port, "127.0.0.1", () =>
      process.stderr.write(`Listening on http://127.0.0.1:${port}/ (end with Ctrl-C)\n`),
    );
  process.once("SIGINT", () => resolve());
  process.once("SIGTERM", () => resolve());
  await ended;
  server.closeAllConnections();
  server.close();
}

function print(
  { id, token, isVerified, isStandardVerified, body }: Received,
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
  const verdict = isVerified && isStandardVerified ? "verified both ways" : "NOT VERIFIED";
  printLine(
    `${id}  token ${token}  ${verdict}  ${counts.added} added, ${counts.removed} removed, ${counts.updated} updated`,
  );
  if (showsBody) printLine(JSON.stringify(body, null, 2));
}

/** The signature of the first current secret; while secrets are rotated it may be any of them. */
function isSignedBy(secrets: readonly string[], request: IncomingMessage, body: Buffer): boolean {
  const given = Buffer.from(String(request.headers["x-service-api-signature"] ?? ""));
  return secrets.some((secret) =>
    isSame(given, Buffer.from(createHmac("sha256", secret).update(body).digest("hex"))),
  );
}

function isStandardSignedBy(
  secrets: readonly string[],
  request: IncomingMessage,
  body: Buffer,
): boolean {
  const {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures,
  } = request.headers;
  const given = String(signatures ?? "")
    .split(" ")
    .map((signature) => Buffer.from(signature));
  const expected = secrets.map((secret) =>
    Buffer.from(
      `v1,${createHmac("sha256", secret)
        .update(`${String(id)}.${String(timestamp)}.`)
        .update(body)
        .digest("base64")}`,
    ),
  );
  return given.some((signature) => expected.some((candidate) => isSame(signature, candidate)));
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
