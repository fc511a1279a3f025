import { z } from "zod";
import { isOfConnection, nameOfType, namedBody } from "../events/index.ts";
import { eventTypes, type EventType } from "../model/index.ts";
import type { WebhookDescription } from "../platform/http/index.ts";
import { receiverAnswers, standardHeaders } from "./webhook-description.ts";

/** What is said of each in the description of the API. */
const summaries: Readonly<Record<EventType, string>> = {
  "connection.created": "A code was exchanged for a token",
  "connection.reauthentication_required": "The end user has to sign in again",
  "connection.healed": "The end user has signed in again",
  "connection.rights_changed": "The account may read other resources than before",
  "connection.ended": "A token has ended",
  "data.ready": "Data that a caller was told to wait for is there",
  "data.failed": "Data that a caller was told to wait for could not be read",
  "data.changed": "A poll found changes in a resource",
  "provider.degraded": "Many reads of a provider fail",
  "provider.recovered": "Reads of a provider succeed again",
};

const eventHeaders = standardHeaders.extend({
  "webhook-id": z
    .uuid()
    .describe("The id of the event. An event whose id you know is a repetition.")
    .meta({ examples: ["01a1fd74-984d-7214-93ab-96bf3c448f55"] }),
  "x-service-api-origin": z
    .literal("events")
    .describe("What kind of webhook it is")
    .meta({ examples: ["events"] }),
});

const connectionHeaders = eventHeaders.extend({
  "x-service-api-token": z
    .uuid()
    .describe("The id of the token whose connection it is about")
    .meta({ examples: ["01a1fd39-1dc3-72c9-9867-e2fd22989539"] }),
  "x-service-api-reference": z
    .string()
    .optional()
    .describe("What the client calls the connection")
    .meta({ examples: ["customer-17"] }),
});

/** The events that are sent to the `event_uri` of a client, for receivers. */
export const eventWebhooks: readonly WebhookDescription[] = eventTypes.map((type) => ({
  name: type,
  operationId: `receive${nameOfType(type)}`,
  tag: "Webhooks",
  summary: summaries[type],
  description:
    `${summaries[type]}. Sent to the client's \`event_uri\`, and listed for 30 days. Events come at least once, and those ` +
    "of one connection in order.",
  headers: isOfConnection(type) ? connectionHeaders : eventHeaders,
  body: namedBody(type, `${summaries[type]}.`),
  answers: receiverAnswers("event_uri"),
}));
