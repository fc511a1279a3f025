import { once } from "node:events";
import { forkBelted, listReadable } from "../platform/belt/index.ts";
import { openPackage, type LocatedPackage } from "./locate-package.ts";
import { fromPlainRefusal, type PlainRefusal } from "./plain-refusal.ts";

/** Which provider a program is run with: a registered one, or what the name itself leads to. */
export interface NamedProvider {
  /** Of a provider, or of a package: its name, file or folder. */
  name: string;
  /** Names of the registered packages. */
  packages: readonly string[];
  /** Files and folders that no package may read. */
  withheld: readonly string[];
}

/** The same, before anything of it is loaded. */
export interface ProgramSubject {
  name: string;
  registered: readonly LocatedPackage[];
  /** The package that the name may be. */
  named?: LocatedPackage;
}

/** What each program tells the process that runs it, beside what is its own. */
export type ProgramMessage =
  | { type: "loaded" }
  /** No provider and no package has the name. */
  | { type: "unknown" }
  | { type: "unusable"; refusal: PlainRefusal }
  /** The package was refused what no adapter may do. */
  | { type: "refused"; what: string; place: string | undefined }
  | { type: "failed"; message: string; isSignInRefused: boolean }
  | { type: "done" };

/** The sign-in was refused, or nothing could be run. */
export class ProgramFailed extends Error {
  override readonly name = "ProgramFailed";
  readonly isSignInRefused: boolean;
  constructor(message: string, isSignInRefused: boolean) {
    super(message);
    this.isSignInRefused = isSignInRefused;
  }
}

interface ProgramListener<Told> {
  /** Gets what is the program's own. What it throws ends the program. */
  onTold: (told: Told, answer: (message: object) => void) => void | Promise<void>;
  onRefused: (what: string, place: string | undefined) => void;
  signal?: AbortSignal | undefined;
}

const standardError = 2;

/**
 * Runs a program of ours with a provider, in a child process that may do what an adapter may do in the service. What the
 * package prints goes to standard error. The signal ends it. Throws ProgramFailed, or an error that says what is missing.
 */
export async function runProgram<Told extends object>(
  program: string,
  { name, packages, withheld, ...others }: NamedProvider,
  { onTold, onRefused, signal }: ProgramListener<Told>,
): Promise<void> {
  const registered = packages.map((one) => openPackage(one));
  const named = openNamed(name);
  const isNamed = !(named instanceof Error);
  const code = [...registered, ...(isNamed ? [named] : [])].flatMap((one) => one.code);
  const readable = listReadable(code, withheld);
  const { child, cleanUp } = forkBelted(program, {
    readable,
    isOptional: true,
    stdio: ["ignore", standardError, standardError, "ipc"],
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const answer = (message: object): void => void child.send(message);
  child.on("message", (message: ProgramMessage) => {
    switch (message.type) {
      case "loaded":
        return answer({ ...others, name, registered, ...(isNamed && { named }) });
      case "refused":
        return onRefused(message.what, message.place);
      case "unknown":
        return reject(isNamed ? new Error(`there is no ${name}`) : named);
      case "unusable":
        return void fromPlainRefusal(message.refusal, readable).then(reject, reject);
      case "failed":
        return reject(new ProgramFailed(message.message, message.isSignInRefused));
      case "done":
        return resolve();
      default:
        void Promise.try(onTold, message as Told, answer).catch(reject);
    }
  });
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  child.once("error", reject);
  child.once("exit", (exitCode, by) =>
    reject(new Error(`the process of the provider ended with ${by ?? exitCode}`)),
  );
  try {
    await ended;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    // What a package left open does not keep it alive.
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
      await once(child, "exit");
    cleanUp();
  }
}

/** Why the name is no package says what to do when nothing else has the name. */
function openNamed(name: string): LocatedPackage | Error {
  try {
    return openPackage(name);
  } catch (error) {
    return error as Error;
  }
}
