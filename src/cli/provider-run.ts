import { watch as watchFile } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Config, Secrets } from "../config/index.ts";
import { systemClock } from "../platform/clock.ts";
import type { Recording } from "../recordings/index.ts";
import type {
  KeptSignIns,
  RecordingCollector,
  RunDescription,
  RunEvent,
  RunTask,
} from "../workbench/index.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { describeBeltRefusal } from "./describe-belt-refusal.ts";
import { printLine } from "./output.ts";
import { createRunPrinter, type RunPrinter } from "./print-run.ts";
import { answerChallenge, askForCode } from "./run-questions.ts";
import { makeTask, placeOf, type RunOptions } from "./run-task.ts";
import { warnWithoutBelt } from "./warn-without-belt.ts";

const settleMs = 50;

/** Runs one resource of a provider, or all of them, and prints what happens. Needs no database and no service. */
export async function runProviderByHand(
  name: string,
  resource: string | undefined,
  options: RunOptions,
  output: { isJson: boolean },
): Promise<void> {
  const command = await openCommand(name, resource, options, output);
  warnWithoutBelt();
  if (!options.watch) return await runOnce(command);
  await runAgainOnSave(command);
}

/** What one command does, again and again where it watches. */
interface Command {
  name: string;
  resource: string | undefined;
  options: RunOptions;
  output: { isJson: boolean };
  config: Config;
  secrets: Secrets;
  kept: KeptSignIns;
  replayed: Recording | undefined;
  /** Files and folders whose change makes another run. */
  code: readonly string[];
}

async function openCommand(
  name: string,
  resource: string | undefined,
  options: RunOptions,
  output: { isJson: boolean },
): Promise<Command> {
  const [{ readConfig }, { KeptSignIns: Kept }, { recordings }, { providerPackages }] =
    await Promise.all([
      import("../config/index.ts"),
      import("../workbench/index.ts"),
      import("../recordings/index.ts"),
      import("../providers/index.ts"),
    ]);
  const { config, secrets } = readConfig();
  return {
    name,
    resource,
    options,
    output,
    config,
    secrets,
    kept: new Kept(config.stateDir),
    replayed: options.replay === undefined ? undefined : recordings.read(options.replay),
    code: listCode(() => providerPackages.open(name).code),
  };
}

/** With the session of an earlier run, if it still works. */
async function runOnce(command: Command, signal?: AbortSignal, isAgain = false): Promise<void> {
  const [{ RecordingCollector: Collector }, { providerPackages }] = await Promise.all([
    import("../workbench/index.ts"),
    import("../providers/index.ts"),
  ]);
  const collector = new Collector();
  const troubles: RunEvent[] = [];
  const printer = createRunPrinter(command.output, {
    isExplained: command.options.explain ?? false,
  });
  const { kept, options } = command;
  let description: RunDescription | undefined;
  let isKept = false;
  const begin = (found: RunDescription, { signIn }: RunTask): void => {
    description = found;
    isKept = "kept" in signIn;
  };
  const note = (event: RunEvent): void => {
    collector.note(event);
    if (event.type !== "record" && event.type !== "exchange") troubles.push(event);
  };
  try {
    await runWatched(command, { collector, printer, begin, note }, signal);
  } catch (error) {
    const isEnded = providerPackages.isSignInRefused(error);
    if (!isEnded || !description || isAgain || !isKept) throw error;
    printer.warn(`the session of an earlier run works no more: ${error.message}`);
    kept.forget(placeOf(description, options));
    return await runOnce(command, signal, true);
  }
  printer.end();
  if (options.record !== undefined && description)
    await record(collector, description, { command, folder: options.record, printer, troubles });
  refuseFailedReads(troubles);
}

/** Throws CommandFailure, so that a script does not take it for all that there is. */
function refuseFailedReads(events: readonly RunEvent[]): void {
  const failed = new Set(events.flatMap((one) => (one.type === "failed" ? [one.resource] : [])));
  const read = events.flatMap((one) => (one.type === "read" ? [one.resource] : []));
  const all = new Set([...read, ...failed]);
  if (failed.size > 0)
    throw new CommandFailure(`${failed.size} of ${all.size} reads failed`, "read_failed");
  const missing = events.filter(({ type }) => type === "missing").length;
  if (missing > 0)
    throw new CommandFailure(`the recording lacked ${missing} answers`, "read_failed");
}

async function runWatched(
  command: Command,
  {
    collector,
    printer,
    begin,
    note,
  }: {
    collector: RecordingCollector;
    printer: RunPrinter;
    begin: (description: RunDescription, task: RunTask) => void;
    note: (event: RunEvent) => void;
  },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { name, resource, options, config, kept, replayed } = command;
  const { runInChild } = await import("../workbench/index.ts");
  await runInChild(
    {
      name,
      mode: options.mode ?? replayed?.mode,
      packages: config.providerPackages,
      withheld: [config.stateDir, ...config.secretFiles],
    },
    {
      prepare: async (found) => {
        const task = await makeTask(found, resource, command);
        begin(found, task);
        if ("formValues" in task.signIn) collector.formValues = task.signIn.formValues;
        printer.begin(found, task);
        return task;
      },
      ask: async (challenge) => {
        const answer = await answerChallenge(challenge);
        collector.answers.push(answer);
        return answer;
      },
      approve: askForCode,
      onEvent: (event) => {
        note(event);
        printer.print(event);
      },
      onSession: (found, signedIn) => {
        if (replayed === undefined) kept.keep(placeOf(found, options), signedIn);
      },
      onRefused: (what, place) => printer.warn(describeBeltRefusal(what, place)),
    },
    signal,
  );
}

async function record(
  collector: RecordingCollector,
  description: RunDescription,
  {
    command,
    folder,
    printer,
    troubles,
  }: {
    command: Command;
    folder: string;
    printer: RunPrinter;
    /** What went wrong with the system itself. */
    troubles: readonly RunEvent[];
  },
): Promise<void> {
  const [{ readAdapterCode }, { recordings, scrubRecording }] = await Promise.all([
    import("../workbench/index.ts"),
    import("../recordings/index.ts"),
  ]);
  const seen = collector.finish(description, systemClock.now());
  const recording = scrubRecording(seen, {
    key: command.kept.disguiseKey(),
    code: readAdapterCode(description.provider, command.code),
  });
  const before = recordings.find(folder);
  recordings.write(folder, recording);
  const exchanges = recording.steps.reduce((sum, step) => sum + step.exchanges.length, 0);
  printer.note(
    `recorded ${recording.signIn.length + exchanges} answers in ${folder}: values are made up, but for words of the adapter's code, ` +
      "countries, currencies, counts and numbers that lead from one answer to another. Look before you share it",
  );
  for (const trouble of await findSpoiled(command, recording, troubles))
    printer.warn(`the recording, read again: ${trouble}, as it did not when it was made`);
  if (before) for (const line of recordings.compare(before, recording)) printer.note(`  ${line}`);
}

/** Reads all of the recording at once: what is made up may have lost what the adapter needs, such as sums. */
async function findSpoiled(
  { name }: Command,
  recording: Recording,
  troubles: readonly RunEvent[],
): Promise<string[]> {
  const [{ runRecording }, { listSpoiled }] = await Promise.all([
    import("./run-recording.ts"),
    import("./spoiled-recording.ts"),
  ]);
  return await runRecording(name, recording, 0).then(
    (replayed) => listSpoiled(troubles, replayed),
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  );
}

/** A change that comes during a run ends it. Ends with Ctrl-C. */
async function runAgainOnSave(command: Command): Promise<void> {
  const { code } = command;
  if (code.length === 0)
    throw new UsageFailure("--watch is for a package: a built-in provider has no file of yours");
  let abort = new AbortController();
  const watchers = code.map((path) =>
    watchFile(path, { recursive: true }, (_event, file) => {
      if (!file?.includes("node_modules")) abort.abort(new Error("saved"));
    }),
  );
  try {
    for (;;) {
      const { signal } = abort;
      await runOnce(command, signal).catch((error: unknown) => {
        if (!signal.aborted)
          printLine(`rollcall: ${error instanceof Error ? error.message : String(error)}`);
      });
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await delay(settleMs);
      abort = new AbortController();
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** Empty for a name that is no package. */
function listCode(find: () => readonly string[]): readonly string[] {
  try {
    return find();
  } catch {
    return [];
  }
}
