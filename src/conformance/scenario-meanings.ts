import { isDeepStrictEqual } from "node:util";
import type { MeaningAnswer, ProviderFailure } from "../providers/index.ts";
import { attempt } from "./expect-failure.ts";
import { byRemoteId } from "./expected-records.ts";
import type { ShownInScenario } from "./meanings.ts";
import { type CheckContext, inTrial, type ReadRecord, type Trial } from "./trial.ts";
import { readUsual, recordsOf } from "./usual-reads.ts";

type Scenario = ShownInScenario["scenario"];
type Play = (answer: MeaningAnswer, context: CheckContext) => Promise<string | undefined>;

const plays: Readonly<Record<Scenario, Play>> = {
  "missing-rights": findUntoldLoss,
  changes: findLeftBehind,
  "no-rights": findLetIn,
};

/** What is wrong with the meaning that this scenario shows; undefined when it is shown. */
export async function playScenario(
  scenario: Scenario,
  answer: MeaningAnswer,
  context: CheckContext,
): Promise<string | undefined> {
  return await plays[scenario](answer, context);
}

/** A value that the account may not read counts as changed, unless it is named as limited. */
async function findUntoldLoss(
  answer: MeaningAnswer,
  context: CheckContext,
): Promise<string | undefined> {
  const { subject, signal } = context;
  const whole = byRemoteId(recordsOf(await readUsual(context), "employees"));
  const id = idOf(answer);
  if (!whole.has(id)) return `there is no employee ${id} in \`usual\``;
  return await inTrial(subject, "missing-rights", signal, async (trial) => {
    const told = await readWithFewerRights(trial);
    if (!told) return undefined;
    for (const [remoteId, before] of whole) {
      const changed = listChanged(before, told.people.get(remoteId) ?? {});
      const untold = changed.filter((field) => !told.limited.includes(field));
      if (untold.length > 0)
        return `with fewer rights ${untold.join(", ")} of employees ${remoteId} are others, and not named as limited`;
    }
    return undefined;
  });
}

interface Told {
  people: ReadonlyMap<string, ReadRecord>;
  limited: readonly string[];
}

/** Undefined where the sign-in or the read is refused: then the earlier list stays. */
async function readWithFewerRights(trial: Trial): Promise<Told | undefined> {
  const signIn = await attempt(() => trial.signIn());
  if ("failure" in signIn) return requireRefusal(signIn.failure);
  const { forbidden = [], unsupported, limited } = signIn.result;
  if ([...forbidden, ...unsupported].includes("employees")) return undefined;
  const read = await attempt(() => trial.read("employees"));
  if ("failure" in read) return requireRefusal(read.failure);
  return {
    people: byRemoteId(read.result.records),
    limited: [...(limited?.employees ?? []), ...trial.watch.limited],
  };
}

function requireRefusal(failure: ProviderFailure): undefined {
  if (failure.kind !== "not-supported" && sayRefusal(failure) === undefined) throw failure;
}

function listChanged(before: ReadRecord, after: ReadRecord): string[] {
  return Object.keys(before).filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

async function findLeftBehind(
  answer: MeaningAnswer,
  { subject, signal }: CheckContext,
): Promise<string | undefined> {
  const id = idOf(answer);
  return await inTrial(subject, "changes", signal, async (trial) => {
    await trial.signIn();
    const isThere = async (): Promise<boolean> =>
      byRemoteId((await trial.read("employees")).records).has(id);
    if (!(await isThere())) return `employee ${id} is not there before \`change()\` of the fake`;
    await trial.fake.change?.();
    return (await isThere())
      ? `employee ${id} is there after \`change()\` of the fake, which has to delete them`
      : undefined;
  });
}

async function findLetIn(
  answer: MeaningAnswer,
  { subject, signal }: CheckContext,
): Promise<string | undefined> {
  const said = "refusal" in answer ? answer.refusal : undefined;
  if (!said) return "say in `refusal` what the sign-in is refused with";
  return await inTrial(subject, "no-rights", signal, async (trial) => {
    const signIn = await attempt(() => trial.signIn());
    if ("result" in signIn) return "the sign-in succeeded";
    const told = sayRefusal(signIn.failure);
    if (told === undefined) throw signIn.failure;
    return told.includes(said)
      ? undefined
      : `the sign-in was refused with “${told}”, and not with “${said}”`;
  });
}

/** Undefined for a failure that says nothing of rights. */
function sayRefusal(failure: ProviderFailure): string | undefined {
  if (failure.kind === "field") return failure.explanation;
  const isRefusal = failure.kind === "auth" && failure.code === "insufficient_permission";
  return isRefusal ? failure.code : undefined;
}

function idOf(answer: MeaningAnswer): string {
  return "record" in answer ? String(answer.record["remote_id"]) : "";
}
