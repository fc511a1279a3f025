import swagger from "@fastify/swagger";
import { createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { HttpApp } from "./app.ts";
import { describeRoute } from "./describe-route.ts";
import { describeWebhook, type WebhookDescription } from "./describe-webhook.ts";
import { FixedDocument } from "./fixed-document.ts";
import { refineDescription, type Document } from "./refine-description.ts";
import { replyHeaders } from "./reply-headers.ts";

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
