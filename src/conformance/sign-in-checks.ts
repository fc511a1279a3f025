import { isDeepStrictEqual } from "node:util";
import { identity, type Resource } from "../model/index.ts";
import type { Checkable, ProviderFailure } from "../providers/index.ts";
import type { CheckDefinition } from "./check.ts";
import { attempt, expectFailure, expectThat } from "./expect-failure.ts";
import { expectLossTold, keyOf } from "./lost-fields.ts";
import { inTrial, type CheckContext, type ReadRecord, type Trial } from "./trial.ts";

const hasNoChallenge = ({ adapter }: Checkable): string | undefined =>
  adapter.resume ? undefined : "it has no `resume`, so it asks no challenge";

export const signInChecks: readonly CheckDefinition[] = [
  {
    name: "sign-in",
    title: "a valid sign-in gives a session of plain JSON and says who signed in",
    scenario: "usual",
    run: async (trial) => {
      const { form, account } = trial.mode;
      const parsed = form.safeParse(trial.fake.formValues);
      expectThat(parsed.success, "the form does not accept the form values of the fake");
      const signedIn = await trial.signIn();
      expectThat(
        isDeepStrictEqual(JSON.parse(JSON.stringify(signedIn.session)), signedIn.session),
        "the session is not plain JSON",
      );
      expectThat(
        identity.safeParse(signedIn.identity).success,
        "`identity` gives no name and email address",
      );
      const counted = account?.(trial.fake.formValues);
      expectThat(!counted || counted.login !== "", "`account` names no login");
    },
  },
  {
    name: "wrong-password",
    title: "a wrong password is refused with incorrect_username_or_password",
    scenario: "wrong-password",
    run: async (trial) => {
      const code = "incorrect_username_or_password";
      await expectFailure("the sign-in", () => trial.signIn(), "auth", code);
    },
  },
  {
    name: "second-factor",
    title: "a challenge that is answered rightly ends in a session",
    scenario: "second-factor",
    leftOutFor: hasNoChallenge,
    run: async (trial) => {
      const { challenges } = await trial.signIn();
      expectThat(challenges > 0, "the sign-in asked no challenge");
    },
  },
  {
    name: "wrong-second-factor",
    title: "a wrong second factor is refused with incorrect_mfa_or_otp",
    scenario: "wrong-second-factor",
    leftOutFor: hasNoChallenge,
    run: async (trial) => {
      await expectFailure("the sign-in", () => trial.signIn(), "auth", "incorrect_mfa_or_otp");
    },
  },
  {
    name: "missing-rights",
    title: "what the account may not read is refused or named, and never looks deleted",
    scenario: "missing-rights",
    run: expectNamedRights,
  },
];

async function expectNamedRights(trial: Trial, { subject, signal }: CheckContext): Promise<void> {
  const signIn = await attempt(() => trial.signIn());
  if ("failure" in signIn) {
    if (isRefusal(signIn.failure)) return;
    throw signIn.failure;
  }
  const { unsupported, forbidden = [], limited = {} } = signIn.result;
  let isNamed = unsupported.length + forbidden.length + Object.keys(limited).length > 0;
  for (const resource of trial.resources) {
    if ([...unsupported, ...forbidden].includes(resource)) continue;
    const read = await attempt(() => trial.read(resource));
    isNamed ||= "failure" in read || trial.watch.limited.length > 0;
    if ("result" in read) {
      const told = [...(limited[resource] ?? []), ...trial.watch.limited];
      await expectAllOf(resource, read.result.records, { told, subject, signal });
    } else if (!isRefusal(read.failure)) throw read.failure;
  }
  expectThat(isNamed, "nothing is refused, and nothing is named as missing");
}

function isRefusal(failure: ProviderFailure): boolean {
  return failure.kind === "auth"
    ? failure.code === "insufficient_permission"
    : failure.kind === "not-supported";
}

/** Records that the account may not see count as gone, unless the read is refused; so does a value, unless it is named. */
async function expectAllOf(
  resource: Resource,
  found: readonly ReadRecord[],
  { told, subject, signal }: CheckContext & { told: readonly string[] },
): Promise<void> {
  const usual = await inTrial(subject, "usual", signal, async (trial) => {
    await trial.signIn();
    return (await trial.read(resource)).records;
  });
  const known = new Set(found.map(keyOf));
  const missing = usual.filter((record) => !known.has(keyOf(record))).length;
  expectThat(
    missing === 0,
    `${missing} of ${usual.length} ${resource} are left out, which looks as if they were deleted`,
  );
  expectLossTold(`the account has fewer rights when it reads ${resource}`, { usual, found }, told);
}
