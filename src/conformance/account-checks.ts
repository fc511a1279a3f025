import { isDeepStrictEqual } from "node:util";
import type { Checkable, TypedValues } from "../providers/index.ts";
import { mainResource, type CheckDefinition } from "./check.ts";
import { attempt, expectThat } from "./expect-failure.ts";
import { listSecrets } from "./secret-values.ts";
import { inTrial, type Trial } from "./trial.ts";
import { carries } from "./carried-values.ts";

export const accountChecks: readonly CheckDefinition[] = [
  {
    name: "accounts",
    title: "two accounts are told apart, and one is the same at each sign-in",
    scenario: "usual",
    leftOutFor: ({ adapter: { account, accountOfSession } }) =>
      account || accountOfSession ? undefined : "it names no account",
    run: expectAccounts,
  },
  {
    name: "password-once",
    title: "what a person types in secret is sent once",
    scenario: "usual",
    leftOutFor: (subject) => {
      if (subject.adapter.keepsSecret) return "it keeps what is typed, and sends it each time";
      return listSecrets(subject, {}).length > 0 ? undefined : "its form has no secret";
    },
    run: async (trial, { subject, signal }) => {
      await expectSentOnce(trial, subject);
      if (subject.conformance.leavesOut?.["wrong-password"] !== undefined) return;
      await inTrial(subject, "wrong-password", signal, (wrong) => expectSentOnce(wrong, subject));
    },
  },
  {
    name: "kept-secret",
    title: "a session that has what a person typed in secret is declared with keepsSecret",
    scenario: "usual",
    leftOutFor: ({ adapter }) => (adapter.keepsSecret ? "it declares keepsSecret" : undefined),
    run: async (trial, { subject }) => {
      const { session } = await trial.signIn();
      const kept = listSecrets(subject, trial.fake.formValues).find(({ value }) =>
        carries([session], value),
      );
      expectThat(
        kept === undefined,
        `the session has the form's ${kept?.name}, and the mode does not say \`keepsSecret: true\``,
      );
    },
  },
  {
    name: "log-out",
    title: "logOut ends the session at the provider",
    scenario: "usual",
    leftOutFor: ({ adapter }) => (adapter.logOut ? undefined : "it has no `logOut`"),
    run: async (trial) => {
      const { openSessions } = trial.fake;
      await trial.signIn();
      const open = openSessions?.call(trial.fake);
      expectThat(
        open === undefined || open > 0,
        "`openSessions` of the fake counts no session after a sign-in",
      );
      await trial.logOut();
      if (openSessions) {
        const left = openSessions.call(trial.fake);
        expectThat(left === 0, `after \`logOut\` the fake has ${left} sessions that work`);
        return;
      }
      const read = await attempt(() => trial.read(mainResource(trial)));
      const isEnded = "failure" in read && read.failure.kind === "auth";
      expectThat(
        isEnded,
        "a read works with the session that `logOut` has ended. Where the provider ends something else, " +
          "say by `openSessions` of the fake how many are left",
      );
    },
  },
];

async function expectAccounts(trial: Trial): Promise<string | undefined> {
  const { fake, mode } = trial;
  const nameOf = async (typed: TypedValues): Promise<unknown> => {
    const { accountOfSession } = await trial.signIn(typed);
    return accountOfSession ?? mode.account?.(typed.formValues);
  };
  const first = await nameOf(fake);
  expectThat(
    isDeepStrictEqual(await nameOf(fake), first),
    "the same person signed in twice and got two accounts: name nothing that changes with the session",
  );
  const { otherAccount } = fake;
  if (!otherAccount) {
    expectThat(
      mode.accountOfSession === undefined,
      "`otherAccount` of the fake does not say what somebody else types, so nobody knows whether " +
        "`accountOfSession` tells two accounts apart",
    );
    return "`otherAccount` of the fake does not say what somebody else types";
  }
  expectThat(
    !isDeepStrictEqual(await nameOf(otherAccount), first),
    "somebody else signed in and got the same account: each would see and end the accesses of the other",
  );
  return undefined;
}

/** A wrong one that is sent again and again locks an account. */
async function expectSentOnce(trial: Trial, subject: Checkable): Promise<void> {
  await attempt(() => trial.signIn());
  for (const { name, value } of listSecrets(subject, trial.fake.formValues)) {
    const sent = trial.watch.requests.filter(({ request }) => carries([request], value)).length;
    expectThat(
      sent <= 1,
      `the form's ${name} was sent ${sent} times in one sign-in: send it once, and keep what the provider gives for it`,
    );
  }
}
