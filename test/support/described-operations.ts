import type { HttpClient } from "./http-client.ts";

export interface Operation {
  method: string;
  /** With a value in place of each path parameter. */
  path: string;
  template: string;
  /** The credentials that it requires. Empty when it also works without. */
  schemes: string[];
  /** The places where a request can name something: `path payrun_id`, `query id`, `body code`. */
  places: string[];
}

interface Described {
  security?: Record<string, unknown>[];
  parameters?: { in: string; name: string }[];
  requestBody?: {
    content: { "application/json"?: { schema: { $ref?: string; properties?: object } } };
  };
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, { properties?: object }> };
}

/** All operations of the service's description, so that tests of common rules include new ones. */
export async function describedOperations(http: HttpClient): Promise<Operation[]> {
  const document = (await http.get("/openapi.json")).body as Document;
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path: template.replaceAll(/\{[^}]+\}/g, "unknown"),
      template,
      schemes: requiredSchemes(described.security ?? []),
      places: placesOf(described, document),
    })),
  );
}

function requiredSchemes(alternatives: readonly Record<string, unknown>[]): string[] {
  const named = alternatives.map((alternative) => Object.keys(alternative));
  return named.some((schemes) => schemes.length === 0) ? [] : named.flat();
}

function placesOf({ parameters = [], requestBody }: Described, { components }: Document): string[] {
  const schema = requestBody?.content["application/json"]?.schema;
  const body = schema?.$ref ? components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  return [
    ...parameters.map((parameter) => `${parameter.in} ${parameter.name}`),
    ...Object.keys(body?.properties ?? {}).map((name) => `body ${name}`),
  ];
}
