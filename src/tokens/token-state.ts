import { z } from "zod";
import { namedEnum, resource, sentAuthErrorCode, type Resource } from "../model/index.ts";
import { addSeconds, secondsBetween } from "../platform/clock.ts";
import { tokenEntry } from "./list-tokens.ts";

const outcome = namedEnum("ReadOutcome", "How a read ended.", {
  stored: "its data is stored",
  unavailable: "the provider was away",
  broken: "the answer of the provider could not be used",
  unsupported: "the provider, or this account, does not have the data",
  forbidden: "the account may not read the data",
  refused: "the provider no longer accepts the sign-in",
});

const work = namedEnum("ReadState", "Whether the data is being read.", {
  idle: "no read was asked for",
  running: "a read runs",
  waiting: "a read waits, for what `waits_for` says",
});

const waitsFor = namedEnum("WaitsFor", "What a read waits for.", {
  place: "other reads run, and it has its turn as soon as one ends",
  quota: "the provider takes no more requests for a while",
  provider: "the provider was away, and is tried again",
});

const moment = z.iso.datetime();

const resourceState = z
  .object({
    resource: resource.describe("Which kind of data"),
    read_at: moment.nullable().describe("When stored data was read last; null when none is stored"),
    records: z
      .number()
      .int()
      .nullable()
      .describe(
        "How many records the last read brought; of employees, how many are stored. Null before the first read",
      ),
    took_seconds: z
      .number()
      .nullable()
      .describe(
        "How long the last read that ended took, from its request on. Null before the first one",
      ),
    outcome: outcome.nullable().describe("How that read ended; null before the first one"),
    state: work.describe("Whether a read runs or waits now"),
    waits_for: waitsFor.nullable().describe("What it waits for; null when it does not wait"),
    waits_until: moment
      .nullable()
      .describe("Until when it waits, where that is known; null for a place"),
    next_read_at: moment
      .nullable()
      .describe("When the data is polled next; null where only a request begins a read"),
  })
  .meta({ id: "ResourceState", description: "How a kind of data of a connection stands." });

/** What is said of one token alone. */
export const tokenState = tokenEntry
  .extend({
    since: moment
      .nullable()
      .describe(
        "Since when it has this status; null where an earlier version did not write it down",
      ),
    reason: sentAuthErrorCode
      .nullable()
      .describe("Why the end user has to sign in again, as the `code` of a 401; else null"),
    unsupported: z
      .array(resource)
      .describe("Resources that the provider, or this account, did not have at the last sign-in"),
    resources: z
      .array(resourceState)
      .describe("The data that the scopes cover; empty once the token was disconnected"),
  })
  .meta({
    id: "TokenState",
    description: "A token of the client, its connection, and how the data of it stands.",
    examples: [
      {
        token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
        scopes: ["/2023-03-01/xhr/employees"],
        mode: "xhr",
        provider: "sandbox",
        created_at: "2026-03-02T10:00:00.000Z",
        valid: true,
        status: "active",
        forbidden: [],
        limited: { employees: ["tax_id"] },
        reference: "customer-4711",
        metadata: { plan: "team" },
        since: "2026-03-02T10:00:00.000Z",
        reason: null,
        unsupported: ["timesheets"],
        resources: [
          {
            resource: "employees",
            read_at: "2026-03-02T11:20:00.000Z",
            records: 112,
            took_seconds: 4.2,
            outcome: "stored",
            state: "waiting",
            waits_for: "quota",
            waits_until: "2026-03-02T12:05:00.000Z",
            next_read_at: "2026-03-02T12:20:00.000Z",
          },
        ],
      },
    ],
  });

export type TokenState = z.output<typeof tokenState>;
type ResourceState = z.output<typeof resourceState>;

/** Stored data and reads of a resource, as the database describes them. */
export interface FoundResource {
  resource: Resource;
  readAt: string | null;
  records: number | null;
  tookSeconds: number | null;
  /** How many requests the last read took, and when it ended. */
  requests: number | null;
  settledAt: string | null;
  outcome: z.output<typeof outcome> | null;
  /** Null when no read is pending, and so is what follows. */
  isRunning: boolean | null;
  dueAt: string | null;
  isDue: boolean | null;
  waits: number | null;
}

/** When a resource is polled. */
export interface Polling {
  nextPollAt: Date | null;
  /** Polls come so much later where the last read was long. */
  secondsPerRequest: number;
}

const secondsBetweenPolls = 3_600;

export function describeResource(
  name: Resource,
  found: FoundResource | undefined,
  polling: Polling | undefined,
): ResourceState {
  return {
    resource: name,
    read_at: toMoment(found?.readAt),
    records: found?.records ?? null,
    took_seconds: found?.tookSeconds ?? null,
    outcome: found?.outcome ?? null,
    ...describeWork(found),
    next_read_at: (polling && findNextRead(found, polling))?.toISOString() ?? null,
  };
}

/** The first poll at which the data is asked for. */
function findNextRead(
  found: FoundResource | undefined,
  { nextPollAt, secondsPerRequest }: Polling,
): Date | null {
  if (!nextPollAt || found?.outcome !== "stored" || found.settledAt === null) return nextPollAt;
  const earliest = addSeconds(new Date(found.settledAt), (found.requests ?? 0) * secondsPerRequest);
  const polls = Math.max(0, secondsBetween(nextPollAt, earliest) / secondsBetweenPolls);
  return addSeconds(nextPollAt, Math.ceil(polls) * secondsBetweenPolls);
}

function describeWork(
  found: FoundResource | undefined,
): Pick<ResourceState, "state" | "waits_for" | "waits_until"> {
  if (!found || found.isRunning === null)
    return { state: "idle", waits_for: null, waits_until: null };
  if (found.isRunning) return { state: "running", waits_for: null, waits_until: null };
  if (found.isDue) return { state: "waiting", waits_for: "place", waits_until: null };
  const waitsForWhat = (found.waits ?? 0) > 0 ? "quota" : "provider";
  return { state: "waiting", waits_for: waitsForWhat, waits_until: toMoment(found.dueAt) };
}

/** The text of a time in JSON of the database is precise to the microsecond. */
function toMoment(text: string | null | undefined): string | null {
  return text ? new Date(text).toISOString() : null;
}
