import { watch as watchFile } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Mode, Resource } from "../model/index.ts";
import type { Config, Secrets } from "../config/index.ts";
import type { FormValues } from "../providers/index.ts";
import type { Recording } from "../recordings/index.ts";
import type {
  KeptSignIns,
  RecordingCollector,
  RunDescription,
  RunEvent,
  RunTask,
  ToldChallenge,
} from "../workbench/index.ts";
import { CommandFailure, UsageFailure } from "./command-failure.ts";
import { ask, completeFormValues, readGivenValues, type FormValueOptions } from "./form-values.ts";
import { printLine } from "./output.ts";
import { createRunPrinter, type RunPrinter } from "./print-run.ts";

export interface RunOptions extends FormValueOptions {
  mode?: Mode;
  range?: string;
  limit: number;
  origin?: string;
  watch?: boolean;
  record?: string;
  replay?: string;
  signIn?: boolean;
}

const usualDays = 60;
const settleMs = 50;
const usualWaitSeconds = 5;
const isDay = /^\d{4}-\d{2}-\d{2}$/;

/** Runs one resource of a provider, or all of them, and prints what happens. Needs no database and no service. */
export async function runProviderByHand(
  name: string,
  resource: string | undefined,
  options: RunOptions,
  output: { isJson: boolean },
): Promise<void> {
  const runner = await openRunner(name, resource, options, output);
  if (!options.watch) return await runner.run();
  await runAgainOnSave(runner);
}

interface Runner {
  run(signal?: AbortSignal): Promise<void>;
  /** Files and folders whose change makes another run. */
  code: readonly string[];
}

async function openRunner(
  name: string,
  resource: string | undefined,
  options: RunOptions,
  output: { isJson: boolean },
): Promise<Runner> {
  const [{ readConfig }, workbench, recordings, { providerPackages }] = await Promise.all([
    import("../config/index.ts"),
    import("../workbench/index.ts"),
    import("../recordings/index.ts"),
    import("../providers/index.ts"),
  ]);
  const { config, secrets } = readConfig();
  const kept = new workbench.KeptSignIns(config.stateDir);
  const replayed =
    options.replay === undefined ? undefined : recordings.readRecording(options.replay);
  const code = listCode(() => providerPackages.open(name).code);
  const run = async (signal?: AbortSignal, isAgain = false): Promise<void> => {
    const collector = new workbench.RecordingCollector();
    const printer = createRunPrinter(output);
    let description: RunDescription | undefined;
    try {
      await workbench.runInChild(
        {
          name,
          mode: options.mode ?? replayed?.mode,
          packages: config.providerPackages,
          withheld: [config.stateDir, ...config.secretFiles],
        },
        {
          prepare: async (found) => {
            description = found;
            const task = await makeTask(found, resource, {
              options,
              config,
              secrets,
              kept,
              replayed,
            });
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
          onEvent: (event: RunEvent) => {
            collector.note(event);
            printer.print(event);
          },
          onSession: (found, signedIn) => replayed === undefined && kept.keep(found, signedIn),
          onRefused: (what, place) =>
            printer.warn(
              `the package was refused ${what}${place === undefined ? "" : ` (${place})`}; the service refuses it too`,
            ),
        },
        signal,
      );
    } catch (error) {
      const isEnded = error instanceof workbench.RunStopped && error.isSignInRefused;
      if (!isEnded || !description || isAgain || !kept.find(description)) throw error;
      // The session of an earlier run has ended.
      kept.forget(description);
      return await run(signal, true);
    }
    printer.end();
    if (options.record !== undefined && description)
      await record(collector, description, { folder: options.record, code, kept, printer });
  };
  return { run, code };
}

async function record(
  collector: RecordingCollector,
  description: RunDescription,
  {
    folder,
    code,
    kept,
    printer,
  }: { folder: string; code: readonly string[]; kept: KeptSignIns; printer: RunPrinter },
): Promise<void> {
  const [
    { readAdapterCode },
    { compareRecordings, findRecording, scrubRecording, writeRecording },
  ] = await Promise.all([import("../workbench/index.ts"), import("../recordings/index.ts")]);
  const seen = collector.finish(description, new Date());
  const recording = scrubRecording(seen, {
    key: kept.disguiseKey(),
    code: readAdapterCode(description.provider, code),
  });
  const before = findRecording(folder);
  writeRecording(folder, recording);
  const exchanges = recording.steps.reduce((sum, step) => sum + step.exchanges.length, 0);
  printer.note(
    `recorded ${recording.signIn.length + exchanges} answers in ${folder}: every value is made up, but look before you share it`,
  );
  if (before) for (const line of compareRecordings(before, recording)) printer.note(`  ${line}`);
}

/** Throws UsageFailure for a resource that the provider has not. */
async function makeTask(
  description: RunDescription,
  resource: string | undefined,
  {
    options,
    config,
    secrets,
    kept,
    replayed,
  }: {
    options: RunOptions;
    config: Config;
    secrets: Secrets;
    kept: KeptSignIns;
    replayed: Recording | undefined;
  },
): Promise<RunTask> {
  const baseUrl = options.origin === undefined ? undefined : requireLoopback(options.origin);
  const resources = chooseResources(description, resource, replayed);
  const range = chooseRange(options.range, replayed);
  const isRecorded = options.record !== undefined;
  const knowsSession = !replayed && !isRecorded && !options.signIn;
  const keptSignIn = knowsSession ? kept.find(description) : undefined;
  return {
    resources,
    range,
    limit: options.limit,
    isRecorded,
    signIn: keptSignIn
      ? { kept: keptSignIn }
      : { formValues: replayed ? {} : await readForm(description, options) },
    application: secrets.providerApplications[description.provider],
    redirectUri: `${config.publicUrl}/connect/callback`,
    outboundAllow: config.outboundAllow.providers,
    allowsHttp: config.isLocal,
    replayed,
    baseUrl,
  };
}

/** An adapter that is led elsewhere would send a password there. */
function requireLoopback(given: string): string {
  const url = URL.parse(given);
  if (!url || !["127.0.0.1", "localhost", "[::1]"].includes(url.hostname))
    throw new UsageFailure("--origin is an address of this machine, such as http://127.0.0.1:8080");
  return url.origin;
}

async function readForm(
  { fields, isSimulated }: RunDescription,
  options: RunOptions,
): Promise<FormValues> {
  const given = await readGivenValues(options, fields, { allowsSecretArguments: isSimulated });
  return await completeFormValues(fields, given);
}

/** Payslips are those of a pay run, so the pay runs are read before them. */
function chooseResources(
  { resources, title }: RunDescription,
  asked: string | undefined,
  replayed: Recording | undefined,
): Resource[] {
  const known = replayed ? replayed.steps.map((step) => step.resource) : resources;
  if (asked === undefined) return inOrder(known);
  const found = known.find((one) => one === asked);
  if (!found)
    throw new UsageFailure(
      `${title} has no ${asked}${replayed ? " in this recording" : ""}; it has ${known.join(", ")}`,
    );
  return found === "payslips" && known.includes("payruns") ? ["payruns", "payslips"] : [found];
}

function inOrder(resources: readonly Resource[]): Resource[] {
  return resources.toSorted((a, b) => Number(a === "payslips") - Number(b === "payslips"));
}

function chooseRange(
  asked: string | undefined,
  replayed: Recording | undefined,
): { start: string; end: string } {
  if (asked !== undefined) {
    const [start = "", end = ""] = asked.split("..");
    if (!isDay.test(start) || !isDay.test(end) || start > end)
      throw new UsageFailure("--range is written as 2026-01-01..2026-01-31");
    return { start, end };
  }
  const recorded = replayed?.steps.find((step) => step.range)?.range;
  if (recorded) return recorded;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const now = Date.now();
  return { start: day(now - usualDays * 86_400_000), end: day(now) };
}

async function answerChallenge(challenge: ToldChallenge): Promise<string> {
  const { kind, prompt } = challenge;
  if (kind !== "wait") {
    const { isSecret = false, options } = challenge as {
      isSecret?: boolean;
      options?: { value: string; title: string }[];
    };
    return await ask({ name: kind, title: prompt, isSecret, ...(options && { choices: options }) });
  }
  process.stderr.write(`${prompt}\n`);
  const { everySeconds = usualWaitSeconds } = challenge as { everySeconds?: number };
  await delay(everySeconds * 1000);
  return "";
}

/** The provider sends the browser to our service, which knows nothing of it: the address has the code. */
async function askForCode(url: string, state: string): Promise<string> {
  process.stderr.write(
    `Approve here, and paste the address to which the browser was sent then:\n${url}\n`,
  );
  const pasted = URL.parse(await ask({ name: "address", title: "Address", isSecret: true }));
  const code = pasted?.searchParams.get("code");
  if (!code || pasted?.searchParams.get("state") !== state)
    throw new CommandFailure("the address has no code, or is of another sign-in", "invalid");
  return code;
}

/** A change that comes during a run ends it. Ends with Ctrl-C. */
async function runAgainOnSave({ run, code }: Runner): Promise<void> {
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
      await run(signal).catch((error: unknown) => {
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
