#!/usr/bin/env node
import { argv, env, exit, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { memoryEtags, Rollcall, RollcallError } from "../../client-typescript/src/index.ts";
import { kinds, type Kind } from "./fields.ts";
import { buildServer, findConnection } from "./server.ts";

const usage = `Usage: rollcall-mcp [--tell KIND,KIND…]

Serves the data of one connection over stdin and stdout, to be read by a language model. The environment has
  ROLLCALL_URL           the address of the service
  ROLLCALL_ACCESS_TOKEN  the access token of the connection

Without --tell nothing personal is told. It adds kinds of fields:
${Object.entries(kinds)
  .map(([kind, about]) => `  ${kind.padEnd(9)} ${about}`)
  .join("\n")}
`;

function fail(message: string): never {
  stderr.write(`${message}\n`);
  exit(2);
}

function readKinds(): ReadonlySet<Kind> {
  try {
    const { values } = parseArgs({
      args: argv.slice(2),
      options: { tell: { type: "string", multiple: true }, help: { type: "boolean" } },
    });
    if (values.help) {
      stdout.write(usage);
      exit(0);
    }
    const named = (values.tell ?? []).flatMap((list) => list.split(","));
    return new Set(named.map(toKind));
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`);
  }
}

function toKind(name: string): Kind {
  if (!Object.hasOwn(kinds, name)) throw new Error(`"${name}" is no kind of fields.`);
  return name as Kind;
}

function readVariable(name: string): string {
  return env[name] || fail(`Set ${name}.\n\n${usage}`);
}

const told = readKinds();
const url = readVariable("ROLLCALL_URL");
const token = readVariable("ROLLCALL_ACCESS_TOKEN");

// The token alone is enough to read: this process has no id and no secret of a client.
const rollcall = new Rollcall({ url, clientId: "", clientSecret: "", etags: memoryEtags(20) });
try {
  const { connection, introspection } = await findConnection(rollcall, token);
  if (!introspection.active) fail("The access token was disconnected.");
  await buildServer(connection, introspection, told).connect(new StdioServerTransport());
} catch (error) {
  if (!(error instanceof RollcallError)) throw error;
  fail(`The connection cannot be read: ${error.message}`);
}
