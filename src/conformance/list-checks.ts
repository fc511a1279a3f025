import { withTimeout } from "../platform/with-timeout.ts";
import { type Checkable, providerPackages } from "../providers/index.ts";
import { accountChecks } from "./account-checks.ts";
import { changesCheck } from "./changes-check.ts";
import { answerChecks } from "./answer-checks.ts";
import type { CheckDefinition } from "./check.ts";
import { failureChecks } from "./failure-checks.ts";
import { meaningsCheck } from "./meanings-check.ts";
import { fieldsCheck } from "./fields-check.ts";
import { pagingChecks } from "./paging-checks.ts";
import { payslipChecks } from "./payslip-checks.ts";
import { probeChecks } from "./probe-checks.ts";
import { privacyCheck } from "./privacy-check.ts";
import { rangeCheck } from "./range-check.ts";
import { recordChecks } from "./record-checks.ts";
import { signInChecks } from "./sign-in-checks.ts";
import { steadinessChecks } from "./steadiness-checks.ts";
import { type CheckContext, inTrial } from "./trial.ts";
import { readUsual } from "./usual-reads.ts";
import { unsaidCheck, valueChecks } from "./value-checks.ts";

/** Of one check, with the start and the end of its fakes. */
const longestCheckMs = 30_000;

const definitions: readonly CheckDefinition[] = [
  ...signInChecks,
  ...probeChecks,
  ...accountChecks,
  ...recordChecks,
  ...valueChecks,
  unsaidCheck,
  meaningsCheck,
  ...payslipChecks,
  rangeCheck,
  ...steadinessChecks,
  fieldsCheck,
  privacyCheck,
  ...pagingChecks,
  ...answerChecks,
  changesCheck,
  ...failureChecks,
];

/** One check of a provider. */
export interface Check {
  /** The provider and its mode. */
  subject: string;
  name: string;
  /** What the provider has to do. */
  title: string;
  /** Why it is not run. */
  leftOut?: string;
  /** Another fake, or a fake in place of a recording, could play it. */
  needsFake?: boolean;
  /** Throws an error that says what is wrong. Returns why there was nothing to check, when that is seen only then. */
  run(): Promise<string | undefined>;
}

export function listChecks(subject: Checkable): Check[] {
  const { definition, mode, conformance } = subject;
  return definitions.map((declared) => {
    const { name, scenario, leftOutFor } = declared;
    const { leavesOut = {}, leavesOutChecks = {}, played = {} } = conformance;
    const how = played[scenario];
    const check =
      how === undefined ? declared : { ...declared, title: `${declared.title} (${how})` };
    const { title } = check;
    const unknown = leavesOut[scenario] ?? leavesOutChecks[name];
    const ofSubject = leftOutFor?.(subject);
    const leftOut = ofSubject ?? unknown;
    const needsFake = ofSubject === undefined && unknown !== undefined;
    return {
      subject: `${definition.name} ${mode}`,
      name,
      title,
      ...(leftOut !== undefined && { leftOut }),
      ...(needsFake && { needsFake }),
      run: () => runCheck(check, subject),
    };
  });
}

async function runInTime(check: CheckDefinition, context: CheckContext): Promise<string | void> {
  if ("look" in check) return await check.look(await readUsual(context), context);
  const { subject, signal } = context;
  return await inTrial(subject, check.scenario, signal, (trial) => check.run(trial, context));
}

async function runCheck(check: CheckDefinition, subject: Checkable): Promise<string | undefined> {
  try {
    const reason = await withTimeout(
      longestCheckMs,
      (signal) => runInTime(check, { subject, signal }),
      {
        timedOut: () =>
          new Error(
            `it took longer than ${longestCheckMs / 1_000} seconds: a promise of the adapter or of its fake does not settle`,
          ),
      },
    );
    return reason ?? undefined;
  } catch (error) {
    throw new Error(`${check.title}: ${providerPackages.explainFailure(error)}`, { cause: error });
  }
}
