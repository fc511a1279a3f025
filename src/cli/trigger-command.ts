import { setTimeout as delay } from "node:timers/promises";
import { Argument, type Command } from "commander";
import { isJson, reportFailure } from "./report-failure.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { exampleId, formatExamples } from "./format-examples.ts";
import {
  hostedService,
  withService,
  type HostedService,
  type ServiceOptions,
} from "./hosted-service.ts";
import { printFields, type Row } from "./output.ts";
import { parseTokenId } from "./parse-arguments.ts";
import { readJson } from "./read-json.ts";

const events = [
  "connect",
  "advance",
  "fail",
  "sign-in",
  "rights",
  "records",
  "poll",
  "webhook",
] as const;
const triesOfFirstPoll = 30;

interface TriggerOptions extends ServiceOptions {
  token?: string;
  scenario: string;
  code?: string;
  limited: string[];
  forbidden: string[];
  file?: string;
}

const note = `
connect   makes a connection of a scenario and prints its access token: connection.created
advance   goes to the next simulated hour
fail      makes reads fail with --code until the end user signs in again; the next read, such as a poll, finds it:
          connection.reauthentication_required
sign-in   signs in again, so that a failure is over: connection.healed
rights    signs in with an account that may not read these; without names all are given back:
          connection.rights_changed
records   sets the people, pay runs and absences of --file; the next poll finds what has changed: data.changed
poll      polls now; of a resource that has changed since the last poll: data.changed
webhook   lets an hour pass and polls, so that a webhook is sent; the first poll comes before

Three connections of the scenario user_down that are polled are a provider.degraded, after some minutes.
`;

/** Over the API, with a client's own credentials: for developers, of a hosted service or beside local mode. */
export function describeTriggerCommand(command: Command): void {
  withService(command)
    .addArgument(new Argument("<event>", "what happens").choices(events))
    .option("--token <token_id>", "whose connection; not for connect")
    .option("--scenario <name>", "the user name of the sandbox, for connect", "user_good")
    .option("--code <code>", "the code of the 401, as in docs/errors-and-limits.md")
    .option("--limited <field...>", "fields of employees that may not be read, for rights", [])
    .option("--forbidden <resource...>", "resources that may not be read, for rights", [])
    .option("--file <file>", "JSON with the lists, as in docs/sandbox.md, for records")
    .addHelpText(
      "after",
      note + formatExamples("trigger connect", `trigger webhook --token ${exampleId}`),
    )
    .action((event: (typeof events)[number], options: TriggerOptions) =>
      reportFailure(command, async () =>
        printFields(await trigger(event, options), { isJson: isJson(command) }),
      ),
    );
}

async function trigger(event: (typeof events)[number], options: TriggerOptions): Promise<Row> {
  const service = await hostedService(options);
  if (event === "connect") return await post(service, "", { scenario: options.scenario });
  if (!options.token) throw new UsageFailure(`${event} needs --token`);
  return await post(
    service,
    `/${parseTokenId(options.token)}/${event}`,
    await bodyOf(event, options),
  );
}

async function bodyOf(
  event: Exclude<(typeof events)[number], "connect">,
  { code, limited, forbidden, file }: TriggerOptions,
): Promise<object | undefined> {
  switch (event) {
    case "fail":
      if (!code) throw new UsageFailure("fail needs --code");
      return { code };
    case "rights":
      return { limited, forbidden };
    case "records":
      if (!file) throw new UsageFailure("records needs --file");
      return await readJson(file);
    case "advance":
    case "sign-in":
    case "poll":
    case "webhook":
      return undefined;
  }
}

/** Repeats the call as long as the service says that the first poll is under way. */
async function post(service: HostedService, path: string, json?: object): Promise<Row> {
  for (let tries = 0; tries < triesOfFirstPoll; tries += 1) {
    const reply = await service.ask("POST", `/management/sandbox/connections${path}`, {
      ...(json && { body: json }),
    });
    if (reply.status !== 202) return toRow(reply.body);
    await delay(Math.max(1, reply.retryAfterSeconds) * 1_000);
  }
  throw new CommandFailure("the first poll has not ended within a minute; try again", "timeout");
}

function toRow(body: unknown): Row {
  const { poll, ...fields } = body as Record<string, never> & { poll?: Row | null };
  return { ...fields, ...(poll && { poll: poll["state"], last_outcome: poll["outcome"] }) };
}
