import { z } from "zod";
import { shownLabelFields } from "../connections/index.ts";
import {
  endedBy,
  eventTypes,
  mode,
  namedEnum,
  pollableResource,
  resource,
  scope,
  sentAuthErrorCode,
  type EventType,
} from "../model/index.ts";

const exampleId = "01a1fd74-984d-7214-93ab-96bf3c448f55";
const exampleTime = "2026-11-26T10:00:00.000Z";

const ofProvider = {
  provider: z.string().describe("The name of the provider"),
  mode: mode.describe("The mode of the connections"),
};

const ofConnection = {
  token: z.uuid().describe("The id of the connection's token, as in the list of tokens"),
  ...ofProvider,
  ...shownLabelFields,
};

const replaces = z
  .array(z.uuid())
  .describe("The ids of older events that were not acknowledged and that this one stands for");

const parameters = z
  .record(z.string(), z.string())
  .describe("The parameters of the request, as in the query or the path of its data endpoint");

const readError = namedEnum("ReadError", "Why data could not be read.", {
  ...Object.fromEntries(
    sentAuthErrorCode.options.map((code) => [
      code,
      "the `code` of the 401 that the endpoint gives",
    ]),
  ),
  unavailable: "the endpoint gives 503",
  broken: "the endpoint gives 500",
  unsupported: "the endpoint gives 501",
});

const changes = z
  .object({
    count: z.number().int().describe("How many records"),
    ids: z.array(z.string()).describe("The ids of these records, as in the data endpoint"),
  })
  .meta({ id: "Changes", description: "Records that changed in one way." });

/** What each event tells beside its subject, and an example. */
const details: {
  readonly [Type in EventType]: { shape: z.core.$ZodLooseShape; example: Record<string, unknown> };
} = {
  "connection.created": {
    shape: { scopes: z.array(scope).describe("What the token may read") },
    example: { scopes: ["/2023-03-01/xhr/employees"] },
  },
  "connection.reauthentication_required": {
    shape: { error: sentAuthErrorCode.describe("The code of the 401 of data requests") },
    example: { error: "reauthentication_required" },
  },
  "connection.healed": { shape: {}, example: {} },
  "connection.rights_changed": {
    shape: {
      gained: z.array(resource).describe("Resources that the account may read again"),
      lost: z.array(resource).describe("Resources that the account may read no longer"),
      replaces,
    },
    example: { gained: [], lost: ["payslips"], replaces: [] },
  },
  "connection.ended": {
    shape: { by: endedBy.describe("Who ended it") },
    example: { by: "end_user" },
  },
  "data.ready": {
    shape: {
      resource: resource.describe("What was read"),
      parameters,
      version: z.string().describe("The `ETag` of the data, without `W/` and quotes"),
    },
    example: {
      resource: "timesheets",
      parameters: { start_date: "2026-01-01", end_date: "2026-01-31" },
      version: "DV98hdZt-0hP3j9G",
    },
  },
  "data.failed": {
    shape: {
      resource: resource.describe("What was asked for"),
      parameters,
      error: readError.describe("Why it could not be read"),
    },
    example: { resource: "employees", parameters: {}, error: "unavailable" },
  },
  "data.changed": {
    shape: {
      resource: pollableResource.describe("What was polled"),
      added: changes.describe("Records that were not there before"),
      updated: changes.describe("Records of which a field changed"),
      removed: changes.describe("Records that are no longer there"),
      truncated: z
        .boolean()
        .describe("True when there are more changes than the 1,000 whose ids are named"),
    },
    example: {
      resource: "employees",
      added: { count: 1, ids: ["H_5W2C-9Nl-FGz0AtczFyg"] },
      updated: { count: 0, ids: [] },
      removed: { count: 0, ids: [] },
      truncated: false,
    },
  },
  "provider.degraded": { shape: { replaces }, example: { replaces: [] } },
  "provider.recovered": { shape: { replaces }, example: { replaces: [exampleId] } },
};

const exampleSubject = {
  token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
  provider: "sandbox",
  mode: "xhr",
  reference: "customer-17",
  metadata: null,
};

/** Whether events of the type are about a connection. */
export function isOfConnection(type: EventType): boolean {
  return !type.startsWith("provider.");
}

function exampleOf(type: EventType) {
  const { provider, mode: exampleMode } = exampleSubject;
  const subject = isOfConnection(type) ? exampleSubject : { provider, mode: exampleMode };
  return { type, timestamp: exampleTime, data: { ...subject, ...details[type].example } };
}

/** `connection.rights_changed` as `ConnectionRightsChanged`. */
export function nameOfType(type: EventType): string {
  return type
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** What an event of each type tells. */
const dataSchemas = new Map(
  eventTypes.map((type) => [
    type,
    z
      .object({ ...(isOfConnection(type) ? ofConnection : ofProvider), ...details[type].shape })
      .meta({
        id: `${nameOfType(type)}Data`,
        description: `What an event of the type \`${type}\` tells.`,
        examples: [exampleOf(type).data],
      }),
  ]),
);

/** The body of an event of the type, as it is sent. */
function describeBody(type: EventType) {
  return z.object({
    type: z.literal(type).describe("What happened"),
    timestamp: z.iso.datetime().describe("When it happened, RFC 3339 in UTC"),
    data: (dataSchemas.get(type) ?? z.object({})).describe("What the event tells"),
  });
}

/** The body of an event of the type with a name of its own in the description of the API. */
export function namedBody(type: EventType, summary: string) {
  return describeBody(type).meta({
    id: `${nameOfType(type)}Event`,
    description: summary,
    examples: [exampleOf(type)],
  });
}

export const exampleEvent = { id: exampleId, ...exampleOf("data.ready") };

const [first, ...others] = eventTypes.map((type) =>
  describeBody(type)
    .extend({ id: z.uuid().describe("The id of the event, the same as `webhook-id`") })
    .meta({
      id: `Listed${nameOfType(type)}Event`,
      description: `An event of the type \`${type}\` in a list.`,
      examples: [{ id: exampleId, ...exampleOf(type) }],
    }),
);
if (!first) throw new Error("there is no type of events");

/** An event in a list. */
export const listedEvent = z.discriminatedUnion("type", [first, ...others]);
