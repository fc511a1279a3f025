import { z } from "zod";
import { mode, namedEnum, resource, scope, sentAuthErrorCode } from "../model/index.ts";
import { sandboxControls } from "../providers/index.ts";
import type { SandboxState } from "./sandbox.ts";

const exampleToken = "01a1fd39-1dc3-72c9-9867-e2fd22989539";

export const newConnection = z
  .object({
    scenario: z
      .string()
      .min(1)
      .max(100)
      .default("user_good")
      .describe(`The user name that selects what happens: ${sandboxControls.scenarios.join(", ")}`),
    mode: mode.default("xhr").describe("The mode of the connection"),
    scopes: z
      .array(scope)
      .min(1)
      .max(scope.options.length)
      .optional()
      .describe("What the token gives access to; without it, all scopes of the mode"),
  })
  .strict()
  .meta({
    id: "NewSandboxConnection",
    description: "Which connection of the sandbox is made.",
    examples: [{ scenario: "user_good", mode: "xhr", scopes: ["/2023-03-01/xhr/employees"] }],
  });

export const madeConnection = z
  .object({
    token: z.string().describe("The id of the token, for the other requests of the sandbox"),
    access_token: z.string().describe("Reads the data, like one that was exchanged for a code"),
    mode: mode.describe("The mode of the connection"),
    provider: z.literal("sandbox").describe("Always the sandbox"),
    scopes: z.array(scope).describe("What the token gives access to"),
    token_type: z.literal("Bearer").describe("How the token is sent"),
  })
  .meta({
    id: "MadeSandboxConnection",
    description: "A connection of the sandbox, with its access token.",
    examples: [
      {
        token: exampleToken,
        access_token: "rc_at_dev_…",
        mode: "xhr",
        provider: "sandbox",
        scopes: ["/2023-03-01/xhr/employees"],
        token_type: "Bearer",
      },
    ],
  });

const pollState = namedEnum("SandboxPollState", "Whether a poll is under way.", {
  pending: "a poll is under way",
  idle: "no poll is under way",
});

const sandboxPoll = z
  .object({
    state: pollState.describe("Whether a poll is under way"),
    outcome: z.string().nullable().describe("How the last poll ended; null before the first"),
    polled_at: z.iso
      .datetime()
      .nullable()
      .describe("When the last poll ended, RFC 3339 in UTC; null before the first"),
  })
  .meta({ id: "SandboxPoll", description: "How the poll for changed employees stands." });

const settableList = namedEnum("SandboxList", "A list that can be set.", {
  employees: "the employees",
  payruns: "the pay runs",
  payslips: "the payslips of all pay runs",
  "time-off-entries": "absences",
});

export const connectionState = z
  .object({
    token: z.string().describe("The id of the token"),
    scenario: z.string().describe("The user name that selects what happens"),
    hour: z.number().int().describe("How many simulated hours have passed"),
    failure: sentAuthErrorCode
      .nullable()
      .describe("The code with which reads fail until the next sign-in; null when they do not"),
    limited: z
      .array(z.string())
      .describe("Fields of employees that the account may not read: null in each record"),
    forbidden: z
      .array(resource)
      .describe("Resources that the account may not read: 401 `insufficient_permission`"),
    set: z
      .array(settableList)
      .describe("The lists that were set, in the place of those of the scenario"),
    poll: sandboxPoll.nullable().describe("Null when the scopes do not include the employees"),
  })
  .meta({
    id: "SandboxConnection",
    description: "What the simulated system of a connection does, and how its poll stands.",
    examples: [
      {
        token: exampleToken,
        scenario: "user_good",
        hour: 1,
        failure: null,
        limited: [],
        forbidden: [],
        set: [],
        poll: { state: "idle", outcome: "changed", polled_at: "2026-03-02T10:00:00.000Z" },
      },
    ],
  });

export const tokenParameter = z.object({
  token_id: z
    .string()
    .describe("The id of the token")
    .meta({ examples: [exampleToken] }),
});
/** A field that is there of everybody cannot be hidden. */
const limitableField = namedEnum(
  "LimitableField",
  "A field of employees that need not be there.",
  Object.fromEntries(sandboxControls.limitableFields.map((name) => [name, `hides \`${name}\``])),
);

export const failureBody = z
  .object({ code: sentAuthErrorCode.describe("The code of the 401") })
  .strict()
  .meta({
    id: "SandboxFailure",
    description: "How reads fail.",
    examples: [{ code: "reauthentication_required" }],
  });

export function toBody({
  tokenId,
  limited,
  forbidden,
  set,
  poll,
  ...state
}: SandboxState): z.output<typeof connectionState> {
  return {
    token: tokenId,
    ...state,
    limited: [...limited],
    forbidden: [...forbidden],
    set: [...set],
    poll: poll && {
      state: poll.state,
      outcome: poll.outcome,
      polled_at: poll.polledAt?.toISOString() ?? null,
    },
  };
}

export const signInBody = z
  .object({
    scenario: newConnection.shape.scenario
      .unwrap()
      .optional()
      .describe("Who signs in: the user name of a scenario. The same as before by default."),
  })
  .strict()
  .nullish()
  .meta({ id: "SandboxSignIn", description: "Who signs in again.", examples: [{}] });

export const rightsBody = z
  .object({
    limited: z
      .array(limitableField)
      .max(limitableField.options.length)
      .default([])
      .describe("Fields of employees that the account may not read"),
    forbidden: z
      .array(resource)
      .max(resource.options.length)
      .default([])
      .describe("Resources that the account may not read"),
  })
  .strict()
  .meta({
    id: "SandboxRights",
    description: "What the account may not read. An empty list gives the rights back.",
    examples: [{ limited: ["bank_account"], forbidden: ["payruns"] }],
  });
