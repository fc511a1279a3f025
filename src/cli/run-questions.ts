import { setTimeout as delay } from "node:timers/promises";
import type { ToldChallenge } from "../workbench/index.ts";
import { CommandFailure } from "./command-failure.ts";
import { ask } from "./form-values.ts";

const usualWaitSeconds = 5;

/** Asks the person at the terminal what the provider asks. */
export async function answerChallenge(challenge: ToldChallenge): Promise<string> {
  const { kind, prompt } = challenge;
  if (kind !== "wait") {
    const { isSecret = false, options } = challenge as {
      isSecret?: boolean;
      options?: { value: string; title: string }[];
    };
    return await ask({ name: kind, title: prompt, isSecret, ...(options && { choices: options }) });
  }
  process.stderr.write(`${prompt}\n`);
  const { everySeconds = usualWaitSeconds } = challenge as { everySeconds?: number };
  await delay(everySeconds * 1000);
  return "";
}

/** The provider sends the browser to our service, which knows nothing of it: the address has the code. */
export async function askForCode(url: string, state: string): Promise<string> {
  process.stderr.write(
    `Approve here, and paste the address to which the browser was sent then:\n${url}\n`,
  );
  const pasted = URL.parse(await ask({ name: "address", title: "Address", isSecret: true }));
  const code = pasted?.searchParams.get("code");
  if (!code || pasted?.searchParams.get("state") !== state)
    throw new CommandFailure("the address has no code, or is of another sign-in", "invalid");
  return code;
}
