import type { AuthErrorCode } from "../../model/index.ts";
import type { Problem } from "./problem.ts";

/** What is wrong and what to do about it, each in a sentence. */
export interface Explanation {
  what: string;
  todo: string;
}

type Explain = (problem: Problem & { system: string; data: string }) => Explanation;

const codes: Readonly<Record<string, string>> = {
  incorrect_username_or_password: "the password or the key was changed or withdrawn",
  incorrect_mfa_or_otp: "the second factor was refused",
  reauthentication_required: "the session has ended",
  additional_account_setup_required:
    "the account has to be set up further, such as by a new password",
  captcha_challenge: "it asks for a captcha",
  insufficient_permission: "the account lacks the rights",
} satisfies Record<AuthErrorCode, string>;

const deliveryErrors: Readonly<Record<string, string>> = {
  status: "the status is not 2xx",
  timeout: "it gave no answer in time",
  connection_failed: "it can’t be reached",
  unresolvable: "its name is not known",
  refused_target: "its address is not one that webhooks may go to",
  tls: "its certificate is not trusted",
};

/** Why an attempt at a receiver failed, as part of a sentence. */
export function describeDeliveryError(error: string): string {
  return deliveryErrors[error] ?? error.replaceAll("_", " ");
}

const explanations: Readonly<Record<Problem["kind"], Explain>> = {
  sign_in_ended: ({ system, detail }) => ({
    what: `${system} no longer accepts the sign-in: ${codes[detail ?? ""] ?? detail ?? "it did not say why"}.`,
    todo: "Send the end user a link to sign in again. The same token works on after that.",
  }),
  right_missing: ({ system, data }) => ({
    what: `The account at ${system} may not read ${data}.`,
    todo: `Ask whoever administers ${system} to give the account the right to read ${data}. The next read finds it.`,
  }),
  fields_limited: ({ system, data, detail }) => ({
    what: `The account at ${system} may not read these fields of ${data}: ${detail}.`,
    todo: `They are null. If the application needs them, ask whoever administers ${system} to give the account the rights that the guide of the provider names. The next read finds them.`,
  }),
  provider_away: ({ system, data }) => ({
    what: `${system} gives no answer when ${data} are read.`,
    todo: "Nothing has to be done: the reads are tried again until it answers. Look at the status page of the vendor.",
  }),
  answers_broken: ({ system, data, detail }) => ({
    what: `An answer of ${system} for ${data} could not be used.${detail === null ? "" : ` Missing or wrong: ${detail}.`}`,
    todo: "The adapter of the provider has to be mended. The log has a line for each read, with more.",
  }),
  quota_used_up: ({ system }) => ({
    what: `${system} takes no more requests for now.`,
    todo: "Nothing has to be done: the reads go on by themselves when the quota allows it.",
  }),
  receiver_failing: ({ receiver, detail }) => ({
    what: `The receiver of the client${receiver === "events" ? "’s events" : ""} doesn’t take what is sent to it: ${describeDeliveryError(detail ?? "timeout")}.`,
    todo: "Mend the receiver, so that it answers with a status of 2xx. What was not taken is sent again by itself.",
  }),
  receiver_stopped: ({ receiver, detail }) => ({
    what: `Nothing is sent to the receiver of the client${receiver === "events" ? "’s events" : ""} any more: ${detail === null ? "it failed for too long" : describeDeliveryError(detail)}.`,
    todo: "Mend the receiver, then send the last delivery again or set the address anew. Everything that waits follows.",
  }),
  polls_late: () => ({
    what: "Connections are polled more than a quarter of an hour late.",
    todo: "Start more workers, or look at which provider takes their places: see Reads.",
  }),
  reads_late: () => ({
    what: "A read has waited for more than a quarter of an hour.",
    todo: "Look at Reads for what it waits for. If nothing runs there, start a worker.",
  }),
  no_worker: () => ({
    what: "No worker runs, so nothing is read and nothing is sent.",
    todo: "Start a process with ROLE=worker or ROLE=all.",
  }),
  older_process: ({ detail }) => ({
    what: `A process of another version runs${detail === null ? "" : ` (${detail})`}.`,
    todo: "End the upgrade: replace every process by the new version.",
  }),
  key_not_retired: ({ detail }) => ({
    what: `The former master key ${detail ?? ""} isn’t retired.`,
    todo: "Seal everything anew with npx rollcall keys rewrap, then end the key with npx rollcall keys retire.",
  }),
};

/** `system` is the name of the provider as people read it. */
export function explainProblem(problem: Problem, system: string): Explanation {
  const data = problem.resource?.replaceAll("-", " ") ?? "the data";
  return explanations[problem.kind]({ ...problem, system, data });
}
