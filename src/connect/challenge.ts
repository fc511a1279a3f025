import { z } from "zod";
import {
  ProviderBug,
  type Settings,
  type SignInChallenge,
  type DeclaredMode,
  type FormValues,
} from "../providers/index.ts";
import { nameSignedInAccount, type AcceptedForm } from "./account-of-sign-in.ts";

/** A question of the provider, with what the sign-in needs after the answer. */
export type Challenge = SignInChallenge & {
  /** The first challenge of a sign-in is 1. */
  number: number;
} & CarriedOver;

/** Values of the form that the connection will keep. */
export interface CarriedOver {
  settings: Settings;
  account?: readonly string[];
}

const maxChallenges = 10;
const maxAnswerLength = 2_048;
const minWaitSeconds = 2;
const maxWaitSeconds = 30;
const defaultWaitSeconds = 5;

const asked = z.object({ prompt: z.string().min(1), state: z.record(z.string(), z.unknown()) });
const options = z
  .array(z.object({ value: z.string().min(1), title: z.string() }))
  .min(1)
  .refine((all) => new Set(all.map(({ value }) => value)).size === all.length);

/** Checks the question of an adapter, which may have been made for another version of the contract. */
const signInChallenge: z.ZodType<SignInChallenge> = z.discriminatedUnion("kind", [
  asked.extend({ kind: z.literal("otp") }),
  asked.extend({ kind: z.literal("text"), isSecret: z.boolean().exactOptional() }),
  asked.extend({ kind: z.literal("choose"), options }),
  asked.extend({ kind: z.literal("wait"), everySeconds: z.number().exactOptional() }),
]);

export const challenge: z.ZodType<Challenge> = z.intersection(
  signInChallenge,
  z.object({
    number: z.int(),
    settings: z.record(z.string(), z.string()),
    account: z.array(z.string()).readonly().exactOptional(),
  }),
);

/** The challenge that follows another one. Throws ProviderBug when nobody can answer it, or after too many. */
export function followingChallenge(
  asked: SignInChallenge,
  previous: Challenge | undefined,
  carried: CarriedOver,
): Challenge {
  const parsed = signInChallenge.safeParse(asked);
  if (!parsed.success) throw new ProviderBug("the adapter asks what nobody can answer");
  const isSameWait = previous?.kind === "wait" && parsed.data.kind === "wait";
  const number = (previous?.number ?? 0) + (isSameWait ? 0 : 1);
  if (number > maxChallenges)
    throw new ProviderBug(`the adapter asks more than ${maxChallenges} times in one sign-in`);
  return { ...parsed.data, ...carried, number };
}

/**
 * The typed answer as the adapter gets it, a code without the spaces that apps show in it. Undefined for an empty one
 * and for one that is too long.
 */
export function readAnswer({ kind }: SignInChallenge, typed: string): string | undefined {
  const answer = kind === "otp" ? typed.replaceAll(/\s/g, "") : typed;
  return answer.trim() === "" || answer.length > maxAnswerLength ? undefined : answer;
}

/** False for an answer to a choice that is none of its options. */
export function isOffered(asked: SignInChallenge, answer: string): boolean {
  return asked.kind !== "choose" || asked.options.some(({ value }) => value === answer);
}

/** How many seconds later the provider is asked again. */
export function waitSeconds({
  everySeconds = defaultWaitSeconds,
}: Extract<SignInChallenge, { kind: "wait" }>): number {
  return Math.min(Math.max(everySeconds, minWaitSeconds), maxWaitSeconds);
}

/** What of an accepted form outlives the call that sends it to the provider. */
export function carryOver(mode: DeclaredMode, accepted: AcceptedForm): CarriedOver {
  const account = nameSignedInAccount(mode, accepted);
  return { settings: pickSettings(mode, accepted.formValues), ...(account && { account }) };
}

/** The values that are no credentials: every read gets them. */
export function pickSettings({ fields }: DeclaredMode, formValues: FormValues): Settings {
  const settings = fields.filter(({ isSetting }) => isSetting);
  return pickValues(settings, formValues);
}

/** The values of these fields that were given. */
export function pickValues(fields: DeclaredMode["fields"], formValues: FormValues): FormValues {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = formValues[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
