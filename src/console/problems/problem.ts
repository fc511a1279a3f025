import type { z } from "zod";
import { namedEnum, type Mode, type Resource } from "../../model/index.ts";
import type { FailingReceiver } from "../../webhooks/index.ts";

export const problemKind = namedEnum("ProblemKind", "What is wrong.", {
  sign_in_ended: "the provider no longer accepts the sign-in",
  right_missing: "the account may not read a resource that the token covers",
  fields_limited: "the account may not read some fields of a resource that the token covers",
  provider_away: "reads fail because the provider gives no answer",
  answers_broken: "reads fail because an answer of the provider could not be used",
  quota_used_up: "reads wait because the provider takes no more requests for a while",
  receiver_failing: "an address of the client refuses what is sent to it, and is tried again",
  receiver_stopped: "an address of the client is paused or gone, and nothing is sent to it",
  polls_late: "connections are not polled in time",
  reads_late: "reads wait for a worker",
  no_worker: "no worker runs",
  older_process: "a process of another version runs",
  key_not_retired: "a former master key is still needed",
});

export const turn = namedEnum("ProblemTurn", "Who can end it.", {
  end_user: "the person who signed in, or who administers the account",
  developer: "who runs the application",
  operator: "who runs this service",
  vendor: "who runs the system of the provider; it ends by itself",
});

export type ProblemKind = z.output<typeof problemKind>;
export const kindsOfReads: readonly ProblemKind[] = [
  "provider_away",
  "answers_broken",
  "quota_used_up",
];
type Turn = z.output<typeof turn>;

const turns: Readonly<Record<ProblemKind, Turn>> = {
  sign_in_ended: "end_user",
  right_missing: "end_user",
  fields_limited: "end_user",
  provider_away: "vendor",
  answers_broken: "operator",
  quota_used_up: "vendor",
  receiver_failing: "developer",
  receiver_stopped: "developer",
  polls_late: "operator",
  reads_late: "operator",
  no_worker: "operator",
  older_process: "operator",
  key_not_retired: "operator",
};

/** One thing that is wrong now. It ends by itself when its cause does. */
export interface Problem {
  kind: ProblemKind;
  turn: Turn;
  /** Null where nobody wrote it down. */
  since: Date | null;
  /** How often it has happened, or how many reads, attempts or processes it is about. */
  times: number;
  clientId: string | null;
  tokenId: string | null;
  /** What the client calls the connection. */
  reference: string | null;
  provider: string | null;
  mode: Mode | null;
  resource: Resource | null;
  /** When it ends by itself, where that is known. */
  until: Date | null;
  /** Which of the client's addresses it is about. */
  receiver: FailingReceiver["kind"] | null;
  /** What tells more: a code, a status, or the name of a key or version. */
  detail: string | null;
}

/** A problem with all that it does not say of itself left out. */
export function describeProblem(
  known: Pick<Problem, "kind" | "since" | "times"> & Partial<Problem>,
): Problem {
  const nobody = { clientId: null, tokenId: null, reference: null, provider: null, mode: null };
  const empty = { ...nobody, resource: null, until: null, receiver: null, detail: null };
  return { ...empty, turn: turns[known.kind], ...known };
}

/** What there are more problems of than are listed. */
export type ProblemCut = "connections" | "reads" | "receivers";

export interface ProblemList {
  problems: Problem[];
  cut: readonly ProblemCut[];
}
