import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import type { z } from "zod";
import type { ReplyHeader } from "./reply-headers.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    description?: RouteDescription;
  }
}

/** What the description of the API says of a route beyond its schemas. */
interface RouteDescription {
  /** Headers that the route reads. It refuses no value of them, so its schemas do not check them. */
  requestHeaders?: z.ZodObject;
  /** The headers of its replies by status, beyond those that every reply of the status has. */
  replyHeaders?: Readonly<Record<number, readonly ReplyHeader[]>>;
}

/** Carries the names from here to the finished document, where they are replaced by the headers. */
export const replyHeadersKey = "x-reply-headers";

type Transform = ReturnType<typeof createJsonSchemaTransform>;

const toJsonSchemas = createJsonSchemaTransform({});

/** Turns the schemas of a route into JSON schemas. */
export const describeRoute: Transform = (given) => {
  const { route } = given as { route?: { config?: { description?: RouteDescription } } };
  const { requestHeaders, replyHeaders } = route?.config?.description ?? {};
  const { schema, url } = toJsonSchemas({
    ...given,
    schema: { ...given.schema, ...(requestHeaders && { headers: requestHeaders }) },
  });
  const { response, querystring } = schema as {
    response?: Record<string, SchemaOfRoute>;
    querystring?: { properties: Record<string, SchemaOfRoute> };
  };
  return {
    schema: {
      ...schema,
      ...(querystring && {
        querystring: {
          ...querystring,
          properties: mapValues(querystring.properties, describeParameter),
        },
      }),
      ...(response && { response: mapValues(response, describeResponse) }),
      ...(replyHeaders && { [replyHeadersKey]: replyHeaders }),
    },
    url,
  };
};

interface SchemaOfRoute {
  $ref?: string;
  description?: string;
  examples?: unknown[];
}

// @fastify/swagger drops what a route says beside the reference to a shared schema, unless it stands elsewhere.

/** The finished document has a plain reference in place of the `allOf`. */
function describeParameter(parameter: SchemaOfRoute): object {
  const { $ref, ...particulars } = parameter;
  return $ref === undefined ? parameter : { ...particulars, allOf: [{ $ref }] };
}

function describeResponse(response: SchemaOfRoute): object {
  const { $ref, description, examples = [] } = response;
  if ($ref === undefined || (description === undefined && examples.length === 0)) return response;
  const media = { schema: { $ref }, ...(examples.length > 0 && { example: examples[0] }) };
  return { ...(description && { description }), content: { "application/json": media } };
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

/** The configuration of a route behind a credential, whose reply is for its caller alone. */
export const gatedRoute = {
  rateLimitClass: "gated",
  description: {
    replyHeaders: { 200: ["Cache-Control"], 201: ["Cache-Control"], 202: ["Cache-Control"] },
  },
} as const;
