import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import type { z } from "zod";
import { replyHeaders, type ReplyHeader } from "./reply-headers.ts";

/** A request that the service sends to its clients. */
export interface WebhookDescription {
  name: string;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  headers: z.ZodObject;
  body: z.ZodType;
  /** What the service does after each answer of the receiver, by status. */
  answers: Readonly<Record<string, { description: string; headers?: readonly ReplyHeader[] }>>;
}

interface JsonSchema {
  properties?: Record<string, { description?: string; examples?: unknown[] }>;
  required?: string[];
}

const toJsonSchemas = createJsonSchemaTransform({});

/** The entry of `webhooks` in the description of the API. */
export function describeWebhook(webhook: WebhookDescription): object {
  const { operationId, tag, summary, description, answers } = webhook;
  const { headers, body } = readSchemas(webhook);
  const operation = {
    operationId,
    summary,
    description,
    tags: [tag],
    security: [],
    parameters: Object.entries(headers.properties ?? {}).map(([name, property]) => {
      const { description: meaning, examples = [], ...schema } = property;
      const required = headers.required?.includes(name) ?? false;
      return { in: "header", name, required, description: meaning, schema, example: examples[0] };
    }),
    requestBody: {
      required: true,
      description: "What changed",
      content: { "application/json": { schema: body } },
    },
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer)]),
    ),
  };
  return { post: operation };
}

/** The body is described as what a reply holds: all that the service writes is always there. */
function readSchemas({ headers, body }: WebhookDescription): { headers: JsonSchema; body: object } {
  const { schema } = toJsonSchemas({
    schema: { headers, response: { 200: body } },
    url: "",
    openapiObject: { openapi: "3.1.0" },
  } as never) as unknown as { schema: { headers: JsonSchema; response: { 200: object } } };
  return { headers: schema.headers, body: schema.response[200] };
}

function describeAnswer({
  description,
  headers = [],
}: WebhookDescription["answers"][string]): object {
  if (headers.length === 0) return { description };
  return {
    description,
    headers: Object.fromEntries(
      headers.map((name) => [name, { ...replyHeaders[name], required: false }]),
    ),
  };
}
