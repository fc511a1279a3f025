import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Mode } from "../model/index.ts";
import { forkBelted, listReadable } from "../platform/belt/index.ts";
import { providerPackages } from "../providers/index.ts";
import type {
  FromRun,
  KeptSignIn,
  RunDescription,
  RunEvent,
  RunSubject,
  RunTask,
  ToldChallenge,
  ToRun,
} from "./child/messages.ts";

export interface RunSubjectName {
  /** Of a registered provider, or of a package: its name, file or folder. */
  name: string;
  mode?: Mode | undefined;
  /** Names of the registered packages. */
  packages: readonly string[];
  /** Files and folders that no package may read. */
  withheld: readonly string[];
}

/** Who runs a provider: decides what is done, answers questions, and gets what happens. */
export interface RunUser {
  /** What is done with the provider that was found. */
  prepare: (description: RunDescription) => Promise<RunTask>;
  ask: (challenge: ToldChallenge) => Promise<string>;
  /** Resolves with the code that the provider's own page gave. */
  approve: (url: string, state: string) => Promise<string>;
  onEvent: (event: RunEvent) => void;
  /** Called with each session that the provider gives. It holds secrets. */
  onSession: (description: RunDescription, kept: KeptSignIn) => void;
  onRefused: (what: string, place: string | undefined) => void;
}

/** The sign-in was refused, or nothing could be run. */
export class RunStopped extends Error {
  readonly isSignInRefused: boolean;
  constructor(message: string, isSignInRefused: boolean) {
    super(message);
    this.name = "RunStopped";
    this.isSignInRefused = isSignInRefused;
  }
}

const entry = fileURLToPath(new URL("./child/entry.ts", import.meta.url));
const standardError = 2;

/**
 * Runs a provider in a child process, which may do what an adapter may do in the service. What the package prints goes
 * to standard error. The signal ends it. Throws RunStopped, or an error that says what is missing.
 */
export async function runInChild(
  { name, mode, packages, withheld }: RunSubjectName,
  user: RunUser,
  signal?: AbortSignal,
): Promise<void> {
  const { registered, named, code, error } = providerPackages.openSubject(name, packages);
  const readable = listReadable(code, withheld);
  const { child, cleanUp } = forkBelted(entry, {
    readable,
    isOptional: true,
    stdio: ["ignore", standardError, standardError, "ipc"],
  });
  const ended = Promise.withResolvers<void>();
  const subject = {
    name,
    registered,
    ...(mode && { mode }),
    ...(named && { named }),
  };
  const send = (message: ToRun): void => void child.send(message);
  child.on(
    "message",
    listenTo(user, {
      subject,
      send,
      resolve: ended.resolve,
      reject: ended.reject,
      explainUnknown: () => error ?? new Error(`there is no ${name}`),
      readable,
    }),
  );
  const onAbort = (): void => ended.reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  child.once("error", ended.reject);
  child.once("exit", (exitCode, by) =>
    ended.reject(new Error(`the process of the provider ended with ${by ?? exitCode}`)),
  );
  try {
    await ended.promise;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    // What a package left open does not keep it alive.
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
      await once(child, "exit");
    cleanUp();
  }
}

interface Conversation {
  subject: RunSubject;
  send: (message: ToRun) => void;
  resolve: () => void;
  reject: (reason: unknown) => void;
  explainUnknown: () => Error;
  readable: readonly string[];
}

/** Does what the child says. */
function listenTo(
  user: RunUser,
  { subject, send, resolve, reject, explainUnknown, readable }: Conversation,
): (message: FromRun) => void {
  const answerWith = (answer: Promise<string>): void =>
    void answer.then((text) => send({ type: "answer", answer: text }), reject);
  let description: RunDescription | undefined;
  return (message) => {
    switch (message.type) {
      case "loaded":
        return send({ type: "subject", subject });
      case "described":
        description = message.description;
        return void user.prepare(description).then((task) => send({ type: "run", task }), reject);
      case "ask":
        return answerWith(user.ask(message.challenge));
      case "approve":
        return answerWith(user.approve(message.url, message.state));
      case "session":
        return description && user.onSession(description, message.kept);
      case "event":
        return user.onEvent(message.event);
      case "refused":
        return user.onRefused(message.what, message.place);
      case "unknown":
        return reject(explainUnknown());
      case "unusable":
        return void providerPackages
          .fromPlainRefusal(message.refusal, readable)
          .then(reject, reject);
      case "stopped":
        return reject(new RunStopped(message.message, message.isSignInRefused));
      case "done":
        return resolve();
    }
  };
}
