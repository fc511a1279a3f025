import { setTimeout as delay } from "node:timers/promises";
import { type Checkable, providerPackages, type Scenario } from "../providers/index.ts";
import { mainResource, type CheckDefinition, type TriedCheck } from "./check.ts";
import { attempt, expectFailure, expectThat, NotConforming } from "./expect-failure.ts";
import type { Trial } from "./trial.ts";

const usualWaitSeconds = 30;
/** A busy machine takes its time between the answer and our clock. */
const toleranceSeconds = 10;
const quietMs = 100;

export const failureChecks: readonly CheckDefinition[] = [
  {
    name: "dead-session",
    title: "a session that has ended is told with reauthentication_required",
    scenario: "dead-session",
    run: async (trial) => {
      await trial.signIn();
      const code = "reauthentication_required";
      for (const resource of trial.resources)
        await expectFailure(`reading ${resource}`, () => trial.read(resource), "auth", code);
    },
  },
  {
    name: "expired-session",
    title: "a session that has ended is refreshed, and the read goes on",
    scenario: "expired-session",
    leftOutFor: hasNoRefresh,
    run: whereRecorded(async (trial) => {
      await trial.signIn();
      for (const resource of trial.resources) await trial.read(resource);
      expectThat(trial.renewals > 0, "every read worked without a new session");
    }),
  },
  {
    name: "expired-between-pages",
    title: "a session that ends between two pages is refreshed, and the list is whole",
    scenario: "expired-between-pages",
    leftOutFor: hasNoRefresh,
    run: whereRecorded(expectWholeList),
  },
  checkOfLimit("rate-limited-seconds", "in seconds"),
  checkOfLimit("rate-limited-date", "as a date"),
  checkOfLimit("rate-limited", undefined),
  {
    name: "server-error",
    title: "an error of the provider's server is told as ProviderDown",
    scenario: "server-error",
    run: async (trial) => {
      await trial.signIn();
      await expectFailure("a read", () => trial.read(mainResource(trial)), "down");
    },
  },
  {
    name: "cut-off",
    title: "an answer that ends in the middle is a failure, not a small company",
    scenario: "cut-off",
    run: async (trial) => {
      await trial.signIn();
      const outcome = await attempt(() => trial.read(mainResource(trial)));
      expectThat("failure" in outcome, "the read counts as complete");
    },
  },
  {
    name: "aborted",
    title: "an aborted read ends, asks nothing more, and is not a small company",
    scenario: "two-pages",
    run: expectAbort,
  },
];

function hasNoRefresh({ adapter }: Checkable): string | undefined {
  return adapter.refresh ? undefined : "it has no `refresh`";
}

/** A recording may not know the request by which an adapter makes a new session. */
function whereRecorded(run: (trial: Trial) => Promise<void>): TriedCheck["run"] {
  return async (trial) => {
    try {
      return await run(trial);
    } catch (error) {
      const [request] = trial.fake.missing ?? [];
      if (request === undefined || trial.renewals === 0) throw error;
      return `the recording has no answer to ${request}`;
    }
  };
}

async function expectWholeList(trial: Trial): Promise<void> {
  await trial.signIn();
  const resource = mainResource(trial);
  const first = await trial.read(resource);
  const pages = trial.watch.pages.length;
  const { renewals } = trial;
  const second = await trial.read(resource);
  expectThat(
    first.text === second.text,
    `the read whose session ends gave ${first.records.length} ${resource}, and the next read ${second.records.length}: ` +
      "make each request by context.withSession, and go on with the page that was refused",
  );
  expectThat(
    renewals > 0 && pages > 1,
    `the session of the fake has to end after the first page, or \`leavesOut\` to say why it cannot: pages of ` +
      `${resource}: ${pages}, new sessions: ${renewals}`,
  );
}

function checkOfLimit(scenario: Scenario, spelling: string | undefined): CheckDefinition {
  return {
    name: scenario,
    title: `a 429 that says ${spelling === undefined ? "no time" : `the wait ${spelling}`} is told as ProviderRateLimited`,
    scenario,
    run: async (trial) => {
      await trial.signIn();
      const failure = await expectFailure(
        "a read",
        () => trial.read(mainResource(trial)),
        "rate-limited",
      );
      if (failure.kind !== "rate-limited" || spelling === undefined) return;
      const { waitSeconds = usualWaitSeconds } = trial.fake;
      expectThat(
        Math.abs(failure.afterSeconds - waitSeconds) <= toleranceSeconds,
        `the provider asks to wait ${waitSeconds} seconds, and the adapter says ${failure.afterSeconds}`,
      );
    },
  };
}

async function expectAbort(trial: Trial): Promise<void> {
  await trial.signIn();
  const abort = new AbortController();
  const reason = new DOMException("the check ends the read", "AbortError");
  const resource = mainResource(trial);
  const outcome = await trial
    .read(resource, {
      signal: abort.signal,
      onPage: () => abort.abort(reason),
    })
    .catch((error: unknown) => error);
  expectThat(
    abort.signal.aborted,
    `the read of ${resource} was to be aborted after its first page, and gave none: ${
      outcome instanceof Error
        ? providerPackages.explainFailure(outcome)
        : "yield each answer as a page of its own"
    }`,
  );
  if (outcome !== reason)
    throw new NotConforming(
      `the read of ${resource} was aborted after its first page, and ${providerPackages.explainFailure(outcome)}: ` +
        "pass context.signal to everything that waits, and let the error of an abort through",
    );
  const requests = trial.watch.requests.length;
  await delay(quietMs);
  const later = trial.watch.requests.length - requests;
  expectThat(
    later === 0,
    `the read of ${resource} was aborted after its first page, and the adapter went on asking the provider: ` +
      `${later} requests in ${quietMs} ms. Pass context.signal to everything that waits, and await all that you begin`,
  );
}
