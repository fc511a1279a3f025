import { STATUS_CODES } from "node:http";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from "fastify-type-provider-zod";
import type { HttpApp } from "./app.ts";
import { FixedDocument } from "./fixed-document.ts";
import { keepDocuments } from "./keep-documents.ts";

export interface ApiDescription {
  title: string;
  version: string;
  description: string;
  serverUrl: string;
  tags: { name: string; description: string }[];
}

/** The page loads and runs only files of this server. */
const pagePolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Hides the bar that loads other descriptions. */
const pageStyle = ".swagger-ui .topbar { display: none; }";

type JsonObject = Record<string, unknown>;

const retryAfter = {
  "Retry-After": {
    description: "Seconds to wait before the call is repeated",
    schema: { type: "integer", minimum: 1 },
  },
};
const headersByStatus: Record<string, JsonObject> = {
  202: retryAfter,
  429: retryAfter,
  503: retryAfter,
};

/**
 * Adds the description at /openapi.json, made from the schemas of the routes, and a page at /docs that
 * loads nothing from other servers. Call it before the first route.
 */
export async function registerOpenApi(
  app: HttpApp,
  { title, version, description, serverUrl, tags }: ApiDescription,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title, version, description },
      servers: [{ url: serverUrl }],
      tags,
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "The access token" },
          basic: {
            type: "http",
            scheme: "basic",
            description: "client_id and any current client_secret",
          },
        },
      },
    },
    transform: createJsonSchemaTransform({}),
    transformObject: ((document: never) =>
      refine(createJsonSchemaTransformObject({})(document) as unknown as JsonObject)) as never,
  });
  const theme = { title: `${title} API`, css: [{ filename: "rollcall.css", content: pageStyle }] };
  await app.register(async (scope) => {
    keepDocuments(scope);
    await scope.register(swaggerUi, {
      routePrefix: "/docs",
      staticCSP: pagePolicy,
      theme,
      uiConfig: { deepLinking: true, defaultModelsExpandDepth: 0 },
    });
  });
  let document: FixedDocument | undefined;
  app.route({
    method: "GET",
    url: "/openapi.json",
    config: { rateLimitClass: "wide" },
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

/** Adds headers and descriptions by status. Removes null defaults and unused schemas. */
function refine(document: JsonObject): JsonObject {
  for (const path of Object.values(
    document["paths"] as Record<string, Record<string, { responses: Record<string, JsonObject> }>>,
  )) {
    for (const { responses } of Object.values(path)) {
      for (const [status, response] of Object.entries(responses)) {
        if (headersByStatus[status]) response["headers"] = headersByStatus[status];
        if (response["description"] === "Default Response")
          response["description"] = STATUS_CODES[status] ?? status;
      }
    }
  }
  return withoutUnused(withoutNullDefaults(document) as JsonObject);
}

function withoutNullDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullDefaults);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === "default" && inner === null))
      .map(([key, inner]) => [key, withoutNullDefaults(inner)]),
  );
}

function withoutUnused(document: JsonObject): JsonObject {
  const components = document["components"] as JsonObject & { schemas: JsonObject };
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(
      /"\$ref":"#\/components\/schemas\/([^"]+)"/g,
    )) {
      if (used.has(name)) continue;
      used.add(name);
      visit(components.schemas[name]);
    }
  };
  visit(document["paths"]);
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).filter(([name]) => used.has(name)),
  );
  return { ...document, components: { ...components, schemas } };
}
