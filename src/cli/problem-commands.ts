import type { Command } from "commander";
import type { Services } from "../start/services.ts";
import { chooseClient } from "./choose-client.ts";
import { withServices } from "./command-context.ts";
import { exampleClientId, formatExamples } from "./format-examples.ts";
import { isJson, printRows, type Row } from "./output.ts";
import { parseLimit } from "./parse-arguments.ts";

const mostEnded = 1_000;

interface ProblemOptions {
  client?: string;
  ended?: boolean;
  limit: string;
}

export function describeProblemsCommand(problems: Command): void {
  problems
    .option("--client <client_id>", "only those of this client")
    .option("--ended", "what has ended within 30 days instead, the newest end first")
    .option("--limit <count>", "how many of those that have ended", "50")
    .addHelpText(
      "after",
      formatExamples(
        "problems",
        `problems --client ${exampleClientId}`,
        "problems --ended --limit 200",
        "problems --json",
      ),
    )
    .action((options: ProblemOptions, command: Command) =>
      withServices(
        command,
        async (services) => {
          const client = await findClientId(services, options);
          const { rows, empty } = options.ended
            ? await listEnded(services, client, options)
            : await listNow(services, client);
          const shown = rows.map(({ more, ...row }) =>
            isJson(command) ? { ...row, ...more } : row,
          );
          printRows(command, shown, empty);
        },
        { isReadOnly: true },
      ),
    );
}

/** Also of a client that has ended, whose problems may have ended with it. */
async function findClientId(
  services: Services,
  { client }: ProblemOptions,
): Promise<string | undefined> {
  if (client === undefined) return undefined;
  const find = (id: string) => services.clients.findAlsoEnded(id);
  return (await chooseClient(services, client, find)).clientId;
}

type Listed = { rows: (Row & { more: Row })[]; empty: string };

async function listNow(services: Services, client: string | undefined): Promise<Listed> {
  const { findProblems, toEntry } = await import("../console/index.ts");
  const { problems } = await findProblems(services, client);
  const rows = problems.map((problem) => {
    const { since, turn, what, todo, token, ...more } = toEntry(services.registry, problem);
    return { since, turn, what, todo, token, client_id: problem.clientId, more };
  });
  return { rows, empty: "Nothing needs anybody." };
}

async function listEnded(
  services: Services,
  client: string | undefined,
  { limit }: ProblemOptions,
): Promise<Listed> {
  const { findEndedProblems, toEntry } = await import("../console/index.ts");
  const wanted = { limit: parseLimit(limit, { max: mostEnded }) };
  const { problems } = await findEndedProblems(services, client, wanted);
  const rows = problems.map((problem) => {
    const entry = toEntry(services.registry, problem);
    const { since, what, token, todo: _todo, until: _until, ...more } = entry;
    const ended = problem.endedAt.toISOString();
    return { since, ended, what, token, client_id: problem.clientId, more };
  });
  return { rows, empty: "Nothing has ended within 30 days." };
}
