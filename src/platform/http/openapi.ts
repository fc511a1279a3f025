import swagger from "@fastify/swagger";
import {
  createJsonSchemaTransformObject,
  createJsonSchemaTransform,
} from "fastify-type-provider-zod";
import type { z } from "zod";
import type { HttpApp } from "./app.ts";
import { describeRoute } from "./describe-route.ts";
import { FixedDocument } from "./fixed-document.ts";
import { refineDescription, type Document } from "./refine-description.ts";
import { replyHeaders, type ReplyHeader } from "./reply-headers.ts";

export interface ApiDescription {
  title: string;
  version: string;
  description: string;
  serverUrl: string;
  license: { name: string; identifier: string };
  tags: { name: string; description: string }[];
  webhooks: WebhookDescription[];
}

/** Adds the description at /openapi.json, made from the schemas of the routes. Call it before the first route. */
export async function registerOpenApi(app: HttpApp, description: ApiDescription): Promise<void> {
  await app.register(swagger, {
    openapi: describeApi(description),
    transform: describeRoute,
    transformObject: ((document: never) =>
      refineDescription(
        createJsonSchemaTransformObject({})(document) as unknown as Document,
      )) as never,
  });
  let document: FixedDocument | undefined;
  app.route({
    method: "GET",
    url: "/openapi.json",
    config: { rateLimitClass: "wide", isForEverySite: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      document ??= new FixedDocument({
        type: "application/json; charset=utf-8",
        bytes: JSON.stringify(app.swagger()),
      });
      return await document.send(request, reply);
    },
  });
}

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The `access_token` that the code was exchanged for.",
  },
  basic: {
    type: "http",
    scheme: "basic",
    description: "The `client_id` as user name, and any current `client_secret` as password.",
  },
} as const;

/** The parts of the description that no route gives. */
function describeApi({
  title,
  version,
  description,
  serverUrl,
  license,
  tags,
  webhooks,
}: ApiDescription) {
  return {
    openapi: "3.1.0",
    info: {
      title,
      version,
      description,
      contact: { name: title, url: `${serverUrl}/docs` },
      license,
    },
    servers: [{ url: serverUrl }],
    tags,
    webhooks: Object.fromEntries(
      webhooks.map((webhook) => [webhook.name, describeWebhook(webhook)]),
    ),
    components: {
      headers: replyHeaders,
      securitySchemes,
    },
  };
}

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
function describeWebhook(webhook: WebhookDescription): object {
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
