import { fileURLToPath } from "node:url";
import type { Mode } from "../model/index.ts";
import { providerPackages, type NamedProvider } from "../providers/index.ts";
import type {
  FromRun,
  KeptSignIn,
  RunDescription,
  RunEvent,
  RunTask,
  ToldChallenge,
  ToRun,
} from "./child/messages.ts";

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

const entry = fileURLToPath(new URL("./child/entry.ts", import.meta.url));

/** Runs a provider in one mode, by default its first one, as `runProgram` says. */
export async function runInChild(
  { mode, ...named }: NamedProvider & { mode?: Mode | undefined },
  user: RunUser,
  signal?: AbortSignal,
): Promise<void> {
  let description: RunDescription | undefined;
  await providerPackages.runProgram<FromRun>(
    entry,
    { ...named, ...(mode && { mode }) },
    {
      signal,
      onRefused: user.onRefused,
      onTold: async (told, answer: (message: ToRun) => void) => {
        switch (told.type) {
          case "described":
            description = told.description;
            return answer({ type: "run", task: await user.prepare(description) });
          case "ask":
            return answer({ type: "answer", answer: await user.ask(told.challenge) });
          case "approve":
            return answer({ type: "answer", answer: await user.approve(told.url, told.state) });
          case "session":
            return description && user.onSession(description, told.kept);
          case "event":
            return user.onEvent(told.event);
        }
      },
    },
  );
}
