import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { z } from "zod";
import type { Connection } from "../connections/index.ts";
import type { AuthErrorCode, TokenId } from "../model/index.ts";
import type { Services } from "../start/services.ts";
import { withServices } from "./command-context.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { exampleId, formatExamples } from "./format-examples.ts";
import { printRows } from "./output.ts";
import { parseId } from "./parse-arguments.ts";

export function addSandboxCommands(sandbox: Command): void {
  addAdvanceCommand(sandbox);
  addFailCommand(sandbox);
  addSignInCommand(sandbox);
  addRightsCommand(sandbox);
  addSetCommand(sandbox);
}

function addAdvanceCommand(sandbox: Command): void {
  sandbox
    .command("advance")
    .description("go to the next simulated hour: one employee added, one removed, two updated")
    .option("--token <token_id>", "only the connection of this token; default: all of the sandbox")
    .addHelpText("after", formatExamples(`sandbox advance --token ${exampleId}`))
    .action((options: { token?: string }, command: Command) =>
      withServices(command, async (services) => {
        const chosen = options.token
          ? [await findSandboxConnection(services, options.token)]
          : await services.connections.listOfProvider("sandbox");
        for (const connection of chosen) await services.sandbox.advance(connection);
        printChanged(command, chosen, "advance");
      }),
    );
}

function addFailCommand(sandbox: Command): void {
  sandbox
    .command("fail")
    .description("make the reads of a connection fail until its end user signs in again")
    .requiredOption("--token <token_id>", "whose connection")
    .requiredOption("--code <code>", "the code of the 401, as in docs/errors-and-limits.md")
    .addHelpText(
      "after",
      formatExamples(`sandbox fail --token ${exampleId} --code reauthentication_required`),
    )
    .action((options: { token: string; code: string }, command: Command) =>
      withServices(command, async (services) => {
        const code = await parseCode(options.code);
        const connection = await findSandboxConnection(services, options.token);
        await services.sandbox.fail(connection, code);
        printChanged(command, [connection], `fail with ${code}`);
      }),
    );
}

function addSignInCommand(sandbox: Command): void {
  sandbox
    .command("sign-in")
    .description("sign in again as its end user would: a failure is over")
    .requiredOption("--token <token_id>", "whose connection")
    .option("--scenario <name>", "who signs in; default: the same user as before")
    .addHelpText("after", formatExamples(`sandbox sign-in --token ${exampleId}`))
    .action((options: { token: string; scenario?: string }, command: Command) =>
      withServices(command, async (services) => {
        const connection = await findSandboxConnection(services, options.token);
        await services.sandbox.signInAgain(connection, options.scenario);
        printChanged(command, [connection], "sign in again");
      }),
    );
}

interface RightsOptions {
  token: string;
  limited?: string[];
  forbidden?: string[];
}

function addRightsCommand(sandbox: Command): void {
  sandbox
    .command("rights")
    .description("take rights of the end user's account; without names all are given back")
    .requiredOption("--token <token_id>", "whose connection")
    .option("--limited <field...>", "fields of employees that it may not read")
    .option("--forbidden <resource...>", "resources that it may not read")
    .addHelpText(
      "after",
      formatExamples(`sandbox rights --token ${exampleId} --limited bank_account tax_id`),
    )
    .action((options: RightsOptions, command: Command) =>
      withServices(command, async (services) => {
        const { limited, forbidden } = options;
        const { rightsBody } = await import("../sandbox/index.ts");
        const rights = check(rightsBody, { limited, forbidden });
        const connection = await findSandboxConnection(services, options.token);
        await services.sandbox.setRights(connection, rights);
        printChanged(command, [connection], "set rights");
      }),
    );
}

function addSetCommand(sandbox: Command): void {
  sandbox
    .command("set")
    .description("set people, pay runs and absences in the place of the scenario's")
    .requiredOption("--token <token_id>", "whose connection")
    .requiredOption("--file <file>", "JSON with the lists, as in docs/sandbox.md")
    .addHelpText("after", formatExamples(`sandbox set --token ${exampleId} --file records.json`))
    .action((options: { token: string; file: string }, command: Command) =>
      withServices(command, async (services) => {
        const { readRecords, recordsBody } = await import("../sandbox/index.ts");
        const lists = readRecords(check(recordsBody, await readJson(options.file)));
        const connection = await findSandboxConnection(services, options.token);
        await services.sandbox.setRecords(connection, lists);
        printChanged(command, [connection], "set records");
      }),
    );
}

/** The content of the file that `--file` names. */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    throw new UsageFailure(`--file: ${file} is no file with JSON`);
  }
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  const issue = error?.issues[0];
  if (issue) throw new UsageFailure(`${issue.path.join(".")}: ${issue.message}`);
  return data as z.output<Schema>;
}

async function parseCode(given: string): Promise<AuthErrorCode> {
  const { authErrorCodes } = await import("../model/index.ts");
  const code = authErrorCodes.find((known) => known === given);
  if (!code) throw new UsageFailure(`--code ${given} is none of ${authErrorCodes.join(", ")}`);
  return code;
}

function printChanged(command: Command, chosen: readonly Connection[], change: string): void {
  printRows(
    command,
    chosen.map(({ tokenId }) => ({ token: tokenId, change })),
    "There is no sandbox connection.",
  );
}

async function findSandboxConnection(
  { connections }: Services,
  tokenId: TokenId,
): Promise<Connection> {
  const connection = await connections.loadByToken(parseId("token", tokenId));
  if (connection?.provider !== "sandbox")
    throw new CommandFailure("no sandbox connection has this token", "not_found");
  return connection;
}
