import { isProviderFailure, providerPackages, type Checkable } from "../../providers/index.ts";
import { recordings, replay } from "../../recordings/index.ts";
import { listChecks, type Check } from "../list-checks.ts";
import type { CheckResult, FromChecks, Subject } from "./messages.ts";

/** Runs the checks of the subject that the parent sends, one after the other. */
export function serveChecks(): void {
  providerPackages.serveProgram(check);
}

async function check({ name, recording, ...packages }: Subject): Promise<boolean> {
  const found = recording ? [recording] : recordings.findBuiltIn(name);
  let subjects: readonly Checkable[] = [];
  const replayed = found.map((one) =>
    replay.conformanceOf(one, {
      onMissing: noteMissing,
      modeOf: () => subjects.find(({ mode }) => mode === one.mode)?.adapter,
    }),
  );
  const checkable = await providerPackages.findCheckable(
    name,
    packages,
    replayed.length > 0 ? replayed : undefined,
  );
  if (!checkable) return false;
  subjects = checkable;
  const checks = subjects.flatMap(listChecks);
  send({ type: "checks", checks: checks.map(({ run: _run, ...described }) => described) });
  for (const each of checks) send({ type: "result", result: await runCheck(each) });
  return true;
}

async function runCheck({ title, leftOut, run }: Check): Promise<CheckResult> {
  if (leftOut !== undefined) return { result: "left out", note: leftOut };
  try {
    const reason = await run();
    return reason === undefined
      ? { result: "passed", note: title }
      : { result: "left out", note: reason };
  } catch (error) {
    const cause = findCause(error);
    return {
      result: "failed",
      note: error instanceof Error ? error.message : String(error),
      ...(cause !== undefined && { cause }),
    };
  }
}

function findCause(error: unknown): string | undefined {
  if (isProviderFailure(error)) return providerPackages.explainFailure(error);
  return error instanceof Error && error.cause !== undefined ? findCause(error.cause) : undefined;
}

/** What a recording lacks shows in a check; the request says what to record. */
function noteMissing(request: string): void {
  process.stderr.write(`rollcall: the recording has no answer to ${request}\n`);
}

function send(message: FromChecks): void {
  process.send?.(message);
}
