import { Command } from "commander";
import { readProgramVersion } from "../platform/program-version.ts";
import { prepareProgram, runWords } from "./run-words.ts";

interface Group {
  description: string;
  /** Adds the group's commands, or makes the group itself a command. `loadAll` makes the program with every group. */
  load: () => Promise<
    (command: Command, program: Command, loadAll: () => Promise<Command>) => void
  >;
}

/** Each group is a file of its own, which is loaded when it is called: the program starts with what it needs. */
const groups: Readonly<Record<string, Group>> = {
  client: {
    description: "developers who use the API",
    load: async () => (await import("./client-commands.ts")).addClientCommands,
  },
  connection: {
    description: "sign in to a provider from the terminal",
    load: async () => (await import("./connection-commands.ts")).addConnectionCommands,
  },
  token: {
    description: "access tokens, named by their id",
    load: async () => (await import("./token-commands.ts")).addTokenCommands,
  },
  reads: {
    description: "reads of providers that are pending or have ended",
    load: async () => (await import("./read-commands.ts")).addReadCommands,
  },
  provider: {
    description: "packages that connect more systems",
    load: async () => (await import("./provider-commands.ts")).addProviderCommands,
  },
  delivery: {
    description: "webhooks that were sent or are pending",
    load: async () => (await import("./delivery-commands.ts")).addDeliveryCommands,
  },
  event: {
    description: "what happened to the connections of a client",
    load: async () => (await import("./event-commands.ts")).addEventCommands,
  },
  poll: {
    description: "the hourly polls for changed employees",
    load: async () => (await import("./poll-commands.ts")).addPollCommands,
  },
  webhook: {
    description: "try out webhooks",
    load: async () => (await import("./webhook-commands.ts")).addWebhookCommands,
  },
  sandbox: {
    description: "the simulated provider",
    load: async () => (await import("./sandbox-commands.ts")).addSandboxCommands,
  },
  audit: {
    description: "the record of changes to clients, secrets, tokens, connections and keys",
    load: async () => (await import("./audit-commands.ts")).addAuditCommands,
  },
  console: {
    description: "the console: links that sign in, and the end of sessions",
    load: async () => (await import("./console-commands.ts")).addConsoleCommands,
  },
  keys: {
    description: "keys of the service",
    load: async () => (await import("./keys-commands.ts")).addKeysCommands,
  },
  database: {
    description: "the schema of the database, and what a restored one needs",
    load: async () => (await import("./database-commands.ts")).addDatabaseCommands,
  },
  status: {
    description: "what runs now: processes, reads, polls, webhooks, sign-ins, queues, schedules",
    load: async () => (await import("./status-command.ts")).describeStatusCommand,
  },
  problems: {
    description: "what is wrong now, and who has to do what",
    load: async () => (await import("./problem-commands.ts")).describeProblemsCommand,
  },
  doctor: {
    description: "check the set-up of the service, and say what to do; changes nothing",
    load: async () => (await import("./doctor-command.ts")).describeDoctorCommand,
  },
  demo: {
    description: "where local mode runs, and its credentials, as npm start shows them",
    load: async () => (await import("./demo-command.ts")).describeDemoCommand,
  },
  completion: {
    description: "print what completes commands in a shell",
    load: async () => (await import("./completion-command.ts")).describeCompletionCommand,
  },
};

interface ProgramOptions {
  /** Known before the arguments are parsed: an error of parsing is printed as JSON too. */
  isJson: boolean;
  /** The words of the command line. Absent: every group is loaded. */
  words?: readonly string[];
}

export async function buildProgram({ isJson, words }: ProgramOptions): Promise<Command> {
  const program = prepareProgram(new Command("rollcall"), { isJson, example: "client list --json" })
    .description(
      "Operates a Rollcall service. Finds the database by the same configuration as the service.",
    )
    .version(readProgramVersion());
  for (const [name, { description, load }] of Object.entries(groups)) {
    const command = program.command(name).description(description);
    if (!words || words.includes(name))
      (await load())(command, program, () => buildProgram({ isJson: false }));
  }
  return program;
}

/** Runs the words of a command line, and sets the exit code of this process. */
export async function runProgram(words: readonly string[]): Promise<void> {
  await runWords(await buildProgram({ isJson: words.includes("--json"), words }), words);
}
