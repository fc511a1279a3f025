import type { Problem } from "../problems/problem.ts";

/** What is wrong and what to do is said where the API and the command line say it, too: `explain-problem.ts`. */
export const problems = {
  title: "Problems",
  none: "Nothing needs anybody.",
  lead: (count: string, isOne: boolean) =>
    `${count} ${isOne ? "thing needs" : "things need"} somebody. Each ends by itself when its cause does.`,
  turns: {
    end_user: "End user’s turn",
    developer: "Developer’s turn",
    operator: "Operator’s turn",
    vendor: "Vendor’s turn",
  },
  cut: "There are more connections of a kind than a hundred. Find the others at",
  cutEnd: ", by their state.",
  for: "for",
  makeLink: "Make the link",
  connection: "The connection",
  reads: "The reads",
  deliveries: "The deliveries",
  system: "The system",
  provider: "The provider",
} as const;

/** What there may be several of. */
export const counted: Readonly<
  Partial<Record<Problem["kind"], readonly [one: string, many: string]>>
> = {
  fields_limited: ["field", "fields"],
  provider_away: ["read", "reads"],
  answers_broken: ["read", "reads"],
  quota_used_up: ["read waits", "reads wait"],
  receiver_failing: ["attempt", "attempts"],
  receiver_stopped: ["attempt", "attempts"],
  older_process: ["process", "processes"],
};

export const signInEnded = {
  once: "once within 30 days",
  often: "times within 30 days",
} as const;

export const ended = {
  title: "Ended problems",
  lead: "What was wrong within 30 days and has ended, the newest end first. Each sentence is of the time when it was so.",
  none: "Nothing has ended within 30 days.",
  from: "from",
  to: "to",
  lasted: "lasted",
  link: "What has ended",
  now: "What is wrong now",
} as const;
