import { setTimeout as delay } from "node:timers/promises";
import { Option, type Command } from "commander";
import { CommandFailure, UsageFailure } from "./command-failure.ts";

/** Where a hosted service is, and the client that its developer is. */
export interface ServiceOptions {
  url?: string;
  client?: string;
  secret?: string;
}

export interface HostedService {
  secret: string;
  /**
   * A reply that is a success. Waits as long as there are too many requests, and says so. Throws CommandFailure with the
   * service's own words, and the reason of the signal.
   */
  ask(
    method: "GET" | "POST",
    path: string,
    options?: { body?: object; signal?: AbortSignal },
  ): Promise<ServiceReply>;
}

interface ServiceReply {
  status: number;
  retryAfterSeconds: number;
  body: unknown;
}

const version = "/2023-03-01";
const timeoutMs = 60_000;

/** The options of a command that asks a service over its API, with a client's own credentials. */
export function withService(command: Command): Command {
  return command
    .addOption(new Option("--url <url>", "the service").env("ROLLCALL_URL"))
    .addOption(
      new Option("--client <client_id>", "whose webhooks and connections").env(
        "ROLLCALL_CLIENT_ID",
      ),
    )
    .addOption(
      new Option("--secret <client_secret>", "its secret; better in the environment").env(
        "ROLLCALL_CLIENT_SECRET",
      ),
    );
}

/** Without a service and a client, those are local mode's. */
export async function hostedService(options: ServiceOptions): Promise<HostedService> {
  const isUnnamed = !options.url && !options.client && !options.secret;
  const { url, client, secret } = (isUnnamed && (await findDemo())) || options;
  if (!url || !client || !secret)
    throw new UsageFailure(
      "name the service and the client: ROLLCALL_URL, ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET, or --url, " +
        "--client and --secret; in local mode the demo client is taken when none of them is named",
    );
  const base = parseUrl("--url", url);
  const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`;
  return {
    secret,
    ask: async function ask(method, path, { body, signal } = {}): Promise<ServiceReply> {
      const limit = AbortSignal.timeout(timeoutMs);
      const response = await fetch(new URL(version + path, base), {
        method,
        headers: { authorization, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      }).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new CommandFailure(
          `the service at ${base.origin} cannot be reached (${reasonOf(error)})`,
        );
      });
      const parsed: unknown = await response.json().catch(() => undefined);
      const retryAfterSeconds = Number(response.headers.get("retry-after") ?? 0);
      if (response.status === 429) {
        const seconds = Math.max(1, retryAfterSeconds);
        process.stderr.write(`The service takes no more requests for ${seconds} seconds.\n`);
        await delay(seconds * 1_000, undefined, { ...(signal && { signal }) });
        return await ask(method, path, { ...(body && { body }), ...(signal && { signal }) });
      }
      if (!response.ok) throw new CommandFailure(refusalOf(response.status, parsed), "refused");
      return { status: response.status, retryAfterSeconds, body: parsed };
    },
  };
}

async function findDemo(): Promise<ServiceOptions | undefined> {
  const [{ readConfig }, { readDemo }] = await Promise.all([
    import("../config/index.ts"),
    import("../start/local-state.ts"),
  ]);
  const { config } = readConfig();
  const demo = config.isLocal ? await readDemo(config.stateDir) : undefined;
  return demo && { url: demo.base_url, client: demo.client_id, secret: demo.client_secret };
}

export function parseUrl(name: string, value: string): URL {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new UsageFailure(`${name} has to be a URL that begins with http:// or https://`);
  return new URL(value);
}

function refusalOf(status: number, body: unknown): string {
  const { message = "the reply is not one of a Rollcall service", validation_error: why } = (body ??
    {}) as { message?: string; validation_error?: string };
  return `the service answered ${status}: ${why ?? message}`;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string }; message: string };
  return cause?.code ?? message;
}
