/** What the pages read of the description of the API, an OpenAPI 3.1 document. */
export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components?: {
    schemas?: Record<string, Schema>;
    headers?: Record<string, Header>;
  };
}

export interface DescribedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string, ...string[]];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
}

export interface Parameter extends Media {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
}

export interface Response {
  description?: string;
  headers?: Record<string, Header>;
  content?: Record<string, Media>;
}

export interface Header {
  $ref?: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
}

export interface Media {
  example?: unknown;
  schema?: Schema;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** The schema itself in place of a reference. What the reference says of itself stays. */
export function resolve(schema: Schema, document: ApiDocument): Schema {
  if (!schema.$ref) return schema;
  const { $ref, ...own } = schema;
  const name = $ref.split("/").at(-1) ?? "";
  return { ...resolve(document.components?.schemas?.[name] ?? {}, document), ...own };
}

export function resolveHeader(header: Header, document: ApiDocument): Header {
  const name = nameOf(header);
  return name === undefined ? header : (document.components?.headers?.[name] ?? {});
}

export function nameOf({ $ref }: { $ref?: string }): string | undefined {
  return $ref?.split("/").at(-1);
}
