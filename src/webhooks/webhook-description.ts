import { z } from "zod";
import { employee } from "../model/index.ts";
import type { WebhookDescription } from "../platform/http/index.ts";

const example = {
  id: "01a1fd74-984d-7214-93ab-96bf3c448f55",
  token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
  timestamp: "1772445600",
};

/** What every webhook has. */
export const standardHeaders = z.object({
  "webhook-timestamp": z
    .string()
    .regex(/^\d+$/)
    .describe("When this attempt was made, in seconds since 1970")
    .meta({ examples: [example.timestamp] }),
  "webhook-signature": z
    .string()
    .describe(
      "Standard Webhooks: for each current secret of the client, `v1,` and the base64 of HMAC-SHA256 over " +
        "`<webhook-id>.<webhook-timestamp>.<body>`; separated by spaces. Check it over the bytes as they arrived.",
    )
    .meta({ examples: ["v1,hkvLmdH0w3zPfWpOHk6mKEvXnG4L0Ub2GuDV2r6LrTE="] }),
  "user-agent": z
    .literal("rollcall")
    .describe("Who sends it")
    .meta({ examples: ["rollcall"] }),
});

const webhookHeaders = standardHeaders.extend({
  "webhook-id": z
    .uuid()
    .describe(
      "The id of the delivery. It stays the same over retries: a webhook whose id you know is a repetition.",
    )
    .meta({ examples: [example.id] }),
  "x-service-api-signature": z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe(
      "Lower-case hex of HMAC-SHA256 over the body, with the first secret of the client. It covers neither " +
        "time nor id, so prefer `webhook-signature`.",
    )
    .meta({ examples: ["e0b1f6c86d14c5c40a8d77a63a6c8cfa5f2ab0c5d0ec8f94d3c5dce9b3d0f6a1"] }),
  "x-service-api-origin": z
    .literal("webhooks-employees-webhook")
    .describe("What kind of webhook it is")
    .meta({ examples: ["webhooks-employees-webhook"] }),
  "x-service-api-token": z
    .uuid()
    .describe("The id of the token whose connection changed, as in the list of tokens")
    .meta({ examples: [example.token] }),
  "x-service-api-reference": z
    .string()
    .optional()
    .describe("What the client called the connection, when it did")
    .meta({ examples: ["customer-4711"] }),
});

const webhookBody = z
  .object({
    added: z.array(employee).describe("Employees who were not in the list of the poll before"),
    removed: z
      .array(employee)
      .describe("Employees who are no longer in the list, as they were last seen"),
    updated: z.array(employee).describe("Employees of whom a field changed, as they are now"),
  })
  .meta({
    id: "EmployeesWebhook",
    description:
      "What changed in the list of employees since the webhook before. All three arrays are always there.",
  });

/** What the service does after each answer of a receiver at this address. */
export function receiverAnswers(address: string): WebhookDescription["answers"] {
  return {
    "2XX": { description: "The webhook has arrived. Any 2xx will do; a body is ignored." },
    410: {
      description: `The address is gone: nothing more is sent until \`${address}\` is set again.`,
    },
    429: {
      description:
        "The attempt failed. `Retry-After` can make the next one later, by up to five days.",
      headers: ["Retry-After"],
    },
    503: {
      description:
        "The attempt failed. `Retry-After` can make the next one later, by up to five days.",
      headers: ["Retry-After"],
    },
    default: {
      description:
        "The attempt failed, as without an answer. It is tried again nine times, over three days.",
    },
  };
}

/** The only event of the specification, for receivers. */
export const employeesWebhook: WebhookDescription = {
  name: "employees",
  operationId: "receiveEmployeeChanges",
  tag: "Webhooks",
  summary: "Employees were added, removed or changed",
  description:
    "Sent to the client's `webhook_uri` when the hourly poll of a connection with the scope `employees` finds a " +
    "difference. The first poll sends nothing. Answer within 20 seconds, before you do the work. A webhook may " +
    "come more than once, and those of one connection come in order. Redirects are not followed.",
  headers: webhookHeaders,
  body: webhookBody,
  answers: receiverAnswers("webhook_uri"),
};
