import { isDeepStrictEqual } from "node:util";
import type { Exchange, Recording } from "./recording.ts";

/** What a second recording of the same system has otherwise, one line for each request. */
export function compareRecordings(before: Recording, after: Recording): string[] {
  const steps = new Map([...listSteps(before), ...listSteps(after)]);
  return [...steps.keys()].flatMap((name) =>
    compareStep(
      name,
      new Map(listSteps(before)).get(name) ?? [],
      new Map(listSteps(after)).get(name) ?? [],
    ),
  );
}

function compareStep(
  step: string,
  before: readonly Exchange[],
  after: readonly Exchange[],
): string[] {
  const most = Math.max(before.length, after.length);
  return Array.from({ length: most }).flatMap((_, index) => {
    const [old, now] = [before[index], after[index]];
    if (!old && now) return [`${step}: ${label(now)} is new`];
    if (old && !now) return [`${step}: ${label(old)} is not made any more`];
    if (!old || !now || isDeepStrictEqual(old, now)) return [];
    if (label(old) !== label(now)) return [`${step}: ${label(now)} instead of ${label(old)}`];
    if (old.status !== now.status)
      return [`${step}: ${label(now)} is answered with ${now.status} instead of ${old.status}`];
    return [
      `${step}: ${label(now)} ${old.body === now.body ? "is asked otherwise" : "is answered otherwise"}`,
    ];
  });
}

function listSteps({ signIn, steps }: Recording): [string, readonly Exchange[]][] {
  return [
    ["sign-in", signIn],
    ...steps.map((step) => [step.resource, step.exchanges] as [string, readonly Exchange[]]),
  ];
}

function label({ method, path }: Exchange): string {
  return `${method} ${path}`;
}
