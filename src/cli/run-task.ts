import { z } from "zod";
import type { Config, Secrets } from "../config/index.ts";
import type { Mode, Resource } from "../model/index.ts";
import { addSeconds, systemClock, utcDay } from "../platform/clock.ts";
import type { FormValues } from "../providers/index.ts";
import type { Recording } from "../recordings/index.ts";
import type { KeptSignIns, RunDescription, RunTask, SignInPlace } from "../workbench/index.ts";
import { UsageFailure } from "./command-failure.ts";
import { completeFormValues, readGivenValues, type FormValueOptions } from "./form-values.ts";

export interface RunOptions extends FormValueOptions {
  mode?: Mode;
  range?: string;
  limit: number;
  origin?: string;
  watch?: boolean;
  explain?: boolean;
  record?: string;
  replay?: string;
  signIn?: boolean;
}

const usualDays = 60;
const daySeconds = 86_400;

/** Throws UsageFailure for a resource that the provider has not. */
export async function makeTask(
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
  const place = placeOf(description, options);
  const resources = chooseResources(description, resource, replayed);
  const range = chooseRange(options.range, replayed);
  const isRecorded = options.record !== undefined;
  const knowsSession = !replayed && !isRecorded && !options.signIn;
  const keptSignIn = knowsSession ? kept.find(place) : undefined;
  return {
    resources,
    range,
    limit: options.limit,
    isWhole: isRecorded,
    isRecorded,
    signIn: keptSignIn
      ? { kept: keptSignIn }
      : { formValues: replayed ? {} : await readForm(description, options) },
    application: secrets.providerApplications[description.provider],
    redirectUri: `${config.publicUrl}/connect/callback`,
    outboundAllow: config.outboundAllow.providers,
    allowsHttp: config.isLocal,
    replayed,
    baseUrl: place.origin,
  };
}

/** Where the session of a run is kept. Throws UsageFailure for an origin that is not on this machine. */
export function placeOf(
  { provider, mode }: Pick<RunDescription, "provider" | "mode">,
  { origin }: Pick<RunOptions, "origin">,
): SignInPlace {
  return { provider, mode, origin: origin === undefined ? undefined : requireLoopback(origin) };
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
    const [start = "", end = "", ...others] = asked.split("..");
    if (!isDay(start) || !isDay(end) || start > end || others.length > 0)
      throw new UsageFailure("--range is written as 2026-01-01..2026-01-31");
    return { start, end };
  }
  const recorded = replayed?.steps.find((step) => step.range)?.range;
  if (recorded) return recorded;
  const now = systemClock.now();
  return { start: utcDay(addSeconds(now, -usualDays * daySeconds)), end: utcDay(now) };
}

/** Of the calendar, and so no 30 February. */
function isDay(written: string): boolean {
  return z.iso.date().safeParse(written).success;
}
