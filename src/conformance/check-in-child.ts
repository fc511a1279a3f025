import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { forkBelted, listReadable } from "../platform/belt/index.ts";
import { providerPackages } from "../providers/index.ts";
import type { Recording } from "../recordings/index.ts";
import type { CheckResult, DescribedCheck, FromChecks, Subject } from "./child/messages.ts";

export interface CheckedSubject {
  /** Of a registered provider, or of a package: its name, file or folder. */
  name: string;
  /** Names of the registered packages. */
  packages: readonly string[];
  /** Files and folders that no package may read. */
  withheld: readonly string[];
  /** It is checked beside this instead of the fake of the package. */
  recording?: Recording;
}

export interface CheckListener {
  onChecks(checks: readonly DescribedCheck[]): void;
  /** Called for each of them, in their order. */
  onResult(result: CheckResult): void;
  onRefused(what: string, place: string | undefined): void;
}

const entry = fileURLToPath(new URL("./child/entry.ts", import.meta.url));
const standardError = 2;

/**
 * Checks a provider in a child process, which may do what an adapter may do in the service. What the package prints goes
 * to standard error. Throws an error that says what is missing.
 */
export async function checkInChild(
  { name, packages, withheld, recording }: CheckedSubject,
  listener: CheckListener,
): Promise<void> {
  const { registered, named, code, error } = providerPackages.openSubject(name, packages);
  const subject = {
    name,
    registered,
    ...(named && { named }),
    ...(recording && { recording }),
  };
  const readable = listReadable(code, withheld);
  const { child, cleanUp } = forkBelted(entry, {
    readable,
    isOptional: true,
    stdio: ["ignore", standardError, standardError, "ipc"],
  });
  const ended = Promise.withResolvers<void>();
  child.on("message", (message: FromChecks) => {
    if (message.type === "loaded") child.send(subject satisfies Subject);
    else if (message.type === "done") ended.resolve();
    else if (message.type === "unknown" && error) ended.reject(error);
    else if (message.type === "failed") ended.reject(new Error(message.message));
    else if (message.type === "unusable")
      providerPackages.fromPlainRefusal(message.refusal, readable).then(ended.reject, ended.reject);
    else tell(listener, message);
  });
  child.once("error", ended.reject);
  child.once("exit", (exitCode, signal) =>
    ended.reject(new Error(`the process of the checks ended with ${signal ?? exitCode}`)),
  );
  try {
    await ended.promise;
  } finally {
    // What a package or its fake left open does not keep it alive.
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
      await once(child, "exit");
    cleanUp();
  }
}

function tell(listener: CheckListener, message: FromChecks): void {
  if (message.type === "checks") listener.onChecks(message.checks);
  else if (message.type === "result") listener.onResult(message.result);
  else if (message.type === "refused") listener.onRefused(message.what, message.place);
}
