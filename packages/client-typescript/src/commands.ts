import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { SandboxFailure, SandboxRecords, SandboxRights } from "./api.ts";
import { RollcallError } from "./errors.ts";
import { listen, type Forwarded } from "./listen.ts";
import { Rollcall } from "./rollcall.ts";

/** What a command has of its surroundings. */
export interface Surroundings {
  env: Record<string, string | undefined>;
  /** For programs. */
  print: (line: string) => void;
  /** For people. */
  note: (line: string) => void;
  /** Ends a command that goes on for ever. */
  signal?: AbortSignal;
}

interface Called {
  rollcall: Rollcall;
  secret: string;
  options: Options;
  surroundings: Surroundings;
}

type Options = ReturnType<typeof parse>["values"];

const usage = `Usage:
  rollcall-client listen --forward-to URL [--count N] [--every SECONDS]
      posts new webhooks of your sandbox connections, and events, to a receiver on this machine
  rollcall-client trigger connect [--scenario NAME]
      makes a connection to the simulated provider, and prints its access token
  rollcall-client trigger advance|poll|webhook --token ID
      lets an hour pass, polls, or does both so that a webhook is sent; a poll that finds changes is data.changed
  rollcall-client trigger fail --token ID --code CODE
      lets reads fail with this code of a 401; the next poll finds it: connection.reauthentication_required
  rollcall-client trigger sign-in --token ID
      signs in again: connection.healed
  rollcall-client trigger rights --token ID [--limited FIELD]... [--forbidden RESOURCE]...
      takes rights, or gives all back: connection.rights_changed
  rollcall-client trigger records --token ID --file FILE
      sets people, pay runs and absences from a file with JSON, so that the next poll finds what has changed
It reads ROLLCALL_URL, ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET.`;
const leastSecondsBetweenLooks = 1;

/** A command cannot go on with what it was given. */
class UsageError extends Error {}

/** Runs a command, and gives its exit code: 2 for a wrong call, 1 for a refusal. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    if (values.help) {
      surroundings.print(usage);
      return 0;
    }
    await run(positionals, { ...connect(surroundings.env), options: values, surroundings });
    return 0;
  } catch (error) {
    if (surroundings.signal?.aborted) return 0;
    const isUsage = error instanceof UsageError || isOfParser(error);
    if (!isUsage && !(error instanceof RollcallError)) throw error;
    const { message } = error as Error;
    surroundings.note(isUsage ? `${message}\n${usage}` : message);
    return isUsage ? 2 : 1;
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      "forward-to": { type: "string" },
      count: { type: "string" },
      every: { type: "string" },
      scenario: { type: "string" },
      token: { type: "string" },
      code: { type: "string" },
      limited: { type: "string", multiple: true },
      forbidden: { type: "string", multiple: true },
      file: { type: "string" },
    },
  });
}

function isOfParser(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
}

function connect(env: Surroundings["env"]): Pick<Called, "rollcall" | "secret"> {
  const { ROLLCALL_URL: url, ROLLCALL_CLIENT_ID: clientId, ROLLCALL_CLIENT_SECRET: secret } = env;
  if (!url || !clientId || !secret)
    throw new UsageError("Set ROLLCALL_URL, ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET.");
  if (!isHttp(url)) throw new UsageError("ROLLCALL_URL is no http address.");
  return { rollcall: new Rollcall({ url, clientId, clientSecret: secret }), secret };
}

async function run([command, event]: readonly string[], called: Called): Promise<void> {
  if (command === "listen") return await forward(called);
  if (command !== "trigger") throw new UsageError("Name a command: listen or trigger.");
  called.surroundings.print(JSON.stringify(await trigger(event, called)));
}

async function trigger(event: string | undefined, { rollcall, options }: Called): Promise<object> {
  const { sandbox } = rollcall;
  const { scenario, code } = options;
  if (event === "connect") return await sandbox.connect(scenario ? { scenario } : {});
  const token = (): string => options.token ?? refuse(`trigger ${event} needs --token.`);
  switch (event) {
    case "advance":
      return await sandbox.advance(token());
    case "poll":
      return await sandbox.poll(token());
    case "webhook":
      return await sandbox.sendWebhook(token());
    case "fail": {
      const failure = { code: code ?? refuse("trigger fail needs --code.") } as SandboxFailure;
      return await sandbox.fail(token(), failure);
    }
    case "sign-in":
      return await sandbox.signIn(token());
    case "rights": {
      const { limited = [], forbidden = [] } = options;
      return await sandbox.setRights(token(), { limited, forbidden } as SandboxRights);
    }
    case "records": {
      const file = options.file ?? refuse("trigger records needs --file.");
      return await sandbox.setRecords(token(), await readRecords(file));
    }
    default:
      return refuse(
        "Name what happens: connect, advance, fail, sign-in, rights, records, poll or webhook.",
      );
  }
}

async function readRecords(file: string): Promise<SandboxRecords> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as SandboxRecords;
  } catch {
    return refuse(`--file: ${file} is no file with JSON.`);
  }
}

async function forward({ rollcall, secret, options, surroundings }: Called): Promise<void> {
  const to = options["forward-to"] ?? refuse("listen needs --forward-to.");
  if (!isHttp(to)) refuse("--forward-to is no http address.");
  await listen({
    rollcall,
    secret,
    to,
    count: readNumber("--count", options.count, Infinity),
    everySeconds: Math.max(leastSecondsBetweenLooks, readNumber("--every", options.every, 8)),
    signal: surroundings.signal ?? new AbortController().signal,
    note: surroundings.note,
    onForwarded: (forwarded: Forwarded) => surroundings.print(JSON.stringify(forwarded)),
  });
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text);
}

function readNumber(name: string, text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  return number > 0 ? number : refuse(`${name} is no number above 0.`);
}

function refuse(reason: string): never {
  throw new UsageError(reason);
}
