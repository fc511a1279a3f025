import type { z } from "zod";
import type { Resource } from "./endpoints.ts";
import { namedEnum } from "./field.ts";

/** What a client is told of, beside the employees' webhook. */
export const eventType = namedEnum("EventType", "What an event tells.", {
  "connection.created": "a code was exchanged: there is a new connection",
  "connection.reauthentication_required": "the end user has to sign in again",
  "connection.healed": "the end user has signed in again, and the same token works on",
  "connection.rights_changed": "the account may read other resources than before",
  "connection.ended": "the token has ended, and all that was stored for it is deleted",
  "data.ready": "what a caller was told to wait for is there",
  "data.failed": "what a caller was told to wait for could not be read",
  "data.changed": "a poll found changes in a resource",
  "provider.degraded": "many reads of a provider fail",
  "provider.recovered": "reads of the provider succeed again",
});

export type EventType = z.output<typeof eventType>;
export const eventTypes = eventType.options;

export const pollableResource = namedEnum(
  "PollableResource",
  "A resource that is polled for changes when a client wants it.",
  {
    employees: "all people",
    company: "the company",
    groups: "its teams and departments",
    "work-locations": "its work locations",
    payruns: "the pay runs of the month before, of this one and of the next one",
    "time-off-entries":
      "the absences of the month before, of this one and of the three that follow",
    timesheets: "the timesheets of the month before and of this one",
  } satisfies Partial<Record<Resource, string>>,
);

export type PollableResource = z.output<typeof pollableResource>;

export function isPollable(name: Resource): name is PollableResource {
  return pollableResource.safeParse(name).success;
}

/** What is polled for a client that has not chosen. */
export const usualPollResources: readonly PollableResource[] = ["employees"];
