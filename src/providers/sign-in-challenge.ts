import { z } from "zod";
import type { SignInChallenge } from "./contract.ts";

const asked = z.object({ prompt: z.string().min(1), state: z.record(z.string(), z.unknown()) });
const options = z
  .array(z.object({ value: z.string().min(1), title: z.string() }))
  .min(1)
  .refine((all) => new Set(all.map(({ value }) => value)).size === all.length);

/** A question that a person can answer. An adapter may have been made for another version of the contract. */
export const signInChallenge: z.ZodType<SignInChallenge> = z.discriminatedUnion("kind", [
  asked.extend({ kind: z.literal("otp") }),
  asked.extend({ kind: z.literal("text"), isSecret: z.boolean().exactOptional() }),
  asked.extend({ kind: z.literal("choose"), options }),
  asked.extend({ kind: z.literal("wait"), everySeconds: z.number().exactOptional() }),
]);
