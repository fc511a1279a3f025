import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { hasServiceSignature, hasStandardSignature } from "./webhook-signatures.ts";

export interface ReceivedWebhook {
  id: string;
  token: string;
  /** The type of an event; null for a webhook about employees. */
  event: string | null;
  /** By the signature of the specification, which events have not. */
  isVerified: boolean;
  isStandardVerified: boolean;
  /** Empty when it is not verified. */
  body: EmployeesBody | EventBody;
}

export type EmployeesBody = Record<"added" | "removed" | "updated", unknown[]>;

interface EventBody {
  type: string;
  data: Record<string, unknown>;
}

const nothing: EmployeesBody = { added: [], removed: [], updated: [] };

interface ReceiverOptions {
  port: number;
  /** Ends after so many webhooks. */
  count: number;
  secrets: readonly string[];
  /** Called when a webhook does not verify, because secrets can be rotated in the meantime. */
  readSecrets: () => Promise<readonly string[]>;
  onReceived: (webhook: ReceivedWebhook) => void;
}

/** Serves on 127.0.0.1 until enough webhooks came or a signal ends the process. */
export async function receiveWebhooks({
  port,
  count,
  secrets: secretsAtStart,
  readSecrets,
  onReceived,
}: ReceiverOptions): Promise<void> {
  let secrets = secretsAtStart;
  let left = count;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request).catch(() => undefined);
    // A sender that breaks off gets no answer.
    if (!body) return;
    const signed = { headers: request.headers, body };
    const isEvent = request.headers["x-service-api-origin"] === "events";
    const isSigned = isEvent ? hasStandardSignature : hasServiceSignature;
    if (!isSigned(secrets, signed)) secrets = await readSecrets();
    const isStandardVerified = hasStandardSignature(secrets, signed);
    const isVerified = isEvent ? isStandardVerified : hasServiceSignature(secrets, signed);
    const isTaken = isVerified && isStandardVerified;
    response.writeHead(isTaken ? 204 : 401).end();
    const parsed = isVerified ? parseBody(body) : nothing;
    onReceived({
      id: String(request.headers["webhook-id"] ?? ""),
      token: String(request.headers["x-service-api-token"] ?? ""),
      isVerified,
      isStandardVerified,
      event: "type" in parsed ? parsed.type : null,
      body: parsed,
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

function parseBody(bytes: Buffer): ReceivedWebhook["body"] {
  return JSON.parse(bytes.toString()) as ReceivedWebhook["body"];
}
