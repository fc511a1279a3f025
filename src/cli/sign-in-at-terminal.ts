import { setTimeout as delay } from "node:timers/promises";
import {
  isNeeded,
  waitSeconds,
  type Challenge,
  type SignInRequest,
  type SignInStep,
} from "../connect/index.ts";
import { isProviderFailure, type DeclaredRecipe } from "../providers/index.ts";
import type { Services } from "../start/services.ts";
import { CommandFailure } from "./command-failure.ts";
import { ask, completeFormValues, readGivenValues, type FormValueOptions } from "./form-values.ts";
import { formatRecipe } from "./format-recipe.ts";

type Connect = Services["connect"];
type WaitChallenge = Extract<Challenge, { kind: "wait" }>;

const longestWaitMs = 30 * 60 * 1000;

/** Asks for the form's values and for the answer to each challenge, as far as they were not given. */
export async function signInAtTerminal(
  { registry, connect }: Pick<Services, "registry" | "connect">,
  request: SignInRequest,
  options: FormValueOptions,
): Promise<Extract<SignInStep, { kind: "signed-in" }>["signIn"]> {
  const mode = registry.findMode(request.provider, request.mode);
  if (!mode)
    throw new CommandFailure(
      `there is no provider ${request.provider} in mode ${request.mode}`,
      "not_found",
    );
  const { fields, recipe } = mode;
  const given = await readGivenValues(options, fields, {
    allowsSecretArguments: registry.isSimulated(request.provider),
  });
  const asked = fields.filter((field) => isNeeded(field, request.scopes) || given.has(field.name));
  const formValues = await completeFormValues(asked, given, {
    ...(request.previousSettings && { previousSettings: request.previousSettings }),
    ...(recipe && { onAsk: explainBy(recipe) }),
  });
  const unused = new Map([...given].filter(([name]) => !(name in formValues)));
  const title = registry.find(request.provider)?.title ?? request.provider;
  let step = await connect.start(request, formValues, {
    onFound: ({ version = "" }) =>
      void process.stderr.write(`Found: ${`${title} ${version}`.trim()}\n`),
  });
  while (step.kind === "challenge") {
    const { challenge } = step;
    step =
      challenge.kind === "wait"
        ? await waitForApproval(connect, request, challenge)
        : await connect.answer(request, challenge, await findAnswer(challenge, unused));
  }
  return step.signIn;
}

/** Shows the recipe once: before the field that it explains, or before the first question. */
function explainBy(recipe: DeclaredRecipe): (name: string) => void {
  let isShown = false;
  return (name) => {
    if (isShown || !process.stdin.isTTY || (recipe.field ?? name) !== name) return;
    isShown = true;
    process.stderr.write(formatRecipe(recipe, process.stderr.columns));
  };
}

/** A given answer is used once: another challenge of the same kind asks for something else. */
async function findAnswer(
  challenge: Exclude<Challenge, WaitChallenge>,
  unused: Map<string, string>,
): Promise<string> {
  const { kind, prompt } = challenge;
  const given = unused.get(kind);
  unused.delete(kind);
  const choices = kind === "choose" ? challenge.options : undefined;
  const isSecret = kind === "text" && challenge.isSecret === true;
  if (given !== undefined) return given;
  return await ask({ name: kind, title: prompt, isSecret, ...(choices && { choices }) });
}

/** Asks the provider again and again, also after it could not be reached. */
async function waitForApproval(
  connect: Connect,
  request: SignInRequest,
  asked: WaitChallenge,
): Promise<SignInStep> {
  process.stderr.write(`${asked.prompt}\n`);
  const signal = AbortSignal.timeout(longestWaitMs);
  let challenge = asked;
  for (;;) {
    await delay(waitSeconds(challenge) * 1000, undefined, { signal }).catch(() => {
      throw new CommandFailure("nobody approved the sign-in in time", "timed_out");
    });
    const step = await askOnce(connect, request, challenge);
    if (step.kind !== "challenge" || step.challenge.kind !== "wait") return step;
    challenge = step.challenge;
  }
}

async function askOnce(
  connect: Connect,
  request: SignInRequest,
  challenge: WaitChallenge,
): Promise<SignInStep> {
  try {
    return await connect.answer(request, challenge, "");
  } catch (error) {
    const isAway = isProviderFailure(error) && ["down", "rate-limited"].includes(error.kind);
    if (isAway) return { kind: "challenge", challenge };
    throw error;
  }
}
