/** The parts of `/openapi.json` from which the Python client is written. */
export interface Description {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  maximum?: number;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
  security: readonly Record<string, unknown>[];
}

export const nameOf = (ref: string): string => ref.split("/").at(-1) ?? "";

export const jsonOf = (content: Content | undefined): Schema | undefined =>
  content?.content?.["application/json"]?.schema;

/** The schema of the data that a success brings. */
export function answerOf({ operationId, responses }: Operation): Schema {
  const schema = jsonOf(responses["201"] ?? responses["200"]);
  if (!schema) throw new Error(`${operationId} has no success with a body of JSON`);
  return schema;
}
