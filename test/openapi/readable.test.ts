import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
}

interface Operation {
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: { in: string; name: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; headers?: object; content?: object }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, { description?: string }>;
  };
}

let harness: Harness;
let document: Document;
let operations: [name: string, operation: Operation][];

beforeAll(async () => {
  harness = await createHarness();
  document = (await harness.http.get("/openapi.json")).body as Document;
  operations = [document.paths, document.webhooks].flatMap((group) =>
    Object.entries(group).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method} ${path}`,
        operation,
      ]),
    ),
  );
});
afterAll(() => harness.close());

const isSentence = (text = ""): boolean => /^[^\s].{3,}/s.test(text);

/** All schemas inside this one, by where they stand. */
function inner(place: string, schema: Schema): [place: string, schema: Schema][] {
  const { properties = {}, items, additionalProperties, anyOf, allOf, oneOf } = schema;
  const parts: [string, Schema][] = [
    ...Object.entries(properties).map(([name, part]): [string, Schema] => [`.${name}`, part]),
    ...(items ? [["[]", items] as [string, Schema]] : []),
    ...(typeof additionalProperties === "object"
      ? [["{}", additionalProperties] as [string, Schema]]
      : []),
    ...[anyOf, allOf, oneOf].flatMap((choices = []) =>
      choices.map((part): [string, Schema] => ["|", part]),
    ),
  ];
  return [[place, schema], ...parts.flatMap(([step, part]) => inner(`${place}${step}`, part))];
}

const named = (): [string, Schema][] => Object.entries(document.components.schemas);

/** The places of the named schemas for which the check does not hold. */
const failing = (check: (schema: Schema, place: string) => boolean): string[] =>
  named()
    .flatMap(([name, schema]) => inner(name, schema))
    .filter(([place, schema]) => !check(schema, place))
    .map(([place]) => place);

const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes("null") || anyOf.some((choice) => choice.type === "null");

const isNested = (place: string): boolean => /[.[\]{}|]/.test(place);

const schemeOf = (name: string): string => {
  if (/management\/(introspect|disconnect)$|\/(xhr|official)\//.test(name)) return "bearer";
  if (name.endsWith("/management/token")) return "none or basic";
  return name.includes("/management/") ? "basic" : "none";
};
const described = ({ security = [] }: Operation): string =>
  security.map((way) => Object.keys(way).join() || "none").join(" or ") || "none";

describe("everything has a description", () => {
  test("each operation, each of its parameters and each of its responses", () => {
    const flaws = operations.flatMap(([name, { description, parameters = [], responses }]) => [
      ...(isSentence(description) ? [] : [name]),
      ...parameters
        .filter((parameter) => !isSentence(parameter.description))
        .map((parameter) => `${name} ${parameter.name}`),
      ...Object.entries(responses)
        .filter(([, response]) => !/ /.test(response.description))
        .map(([status]) => `${name} ${status}`),
    ]);
    expect(flaws).toEqual([]);
    expect(operations.length).toBeGreaterThan(30);
  });

  test("each schema, each of its fields and each header", () => {
    const fields = named().flatMap(([name, { description, properties = {} }]) => [
      [name, description],
      ...Object.entries(properties).map(([field, part]) => [`${name}.${field}`, part.description]),
    ]);
    const headers = Object.entries(document.components.headers).map(([name, header]) => [
      name,
      header.description,
    ]);
    expect([...fields, ...headers].filter(([, text]) => !isSentence(text))).toEqual([]);
    expect(fields.length).toBeGreaterThan(250);
  });

  test("each value of an enumeration, but for countries, scopes and resources, which say it themselves", () => {
    const selfEvident = new Set(["Country", "Scope", "Resource"]);
    const flaws = named().flatMap(([name, schema]) =>
      selfEvident.has(name)
        ? []
        : (schema.enum ?? [])
            .filter((value) => !schema.description?.includes(`\n- \`${value}\`: `))
            .map((value) => `${name} ${value}`),
    );
    expect(flaws).toEqual([]);
    expect(named().filter(([, schema]) => schema.enum).length).toBeGreaterThan(15);
  });

  test("what null means, for each field that may be null", () => {
    const flaws = named().flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, field]) => isNullable(field) && !/\bnull\b/i.test(field.description ?? ""))
        .map(([field]) => `${name}.${field}`),
    );
    expect(flaws).toEqual([]);
  });
});

describe("names", () => {
  test("are given: no generator has to invent one", () => {
    const invented = /AnyOf|OneOf|AllOf|Input$|Output$|Inner|Item\d*$/;
    expect(named().filter(([name]) => invented.test(name) || !/^[A-Z]\w+$/.test(name))).toEqual([]);
  });

  test("are there for each object and each enumeration inside another schema", () => {
    expect(
      failing(
        (schema, place) => !isNested(place) || (!schema.properties && !isEnumeration(schema)),
      ),
    ).toEqual([]);
  });

  test("are there for each object and each enumeration of an operation", () => {
    const flaws = operations.flatMap(([name, { parameters = [], requestBody, responses }]) =>
      [
        ...parameters.map(({ schema }) => schema),
        ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
        ...Object.values(responses).flatMap(({ content = {} }) =>
          Object.values(content as Record<string, { schema: Schema }>).map(({ schema }) => schema),
        ),
      ]
        .flatMap((schema) => inner(name, schema))
        .filter(([, schema]) => schema.properties ?? isEnumeration(schema))
        .map(([place]) => place),
    );
    expect(flaws).toEqual([]);
  });
});

/** `sandbox` of a link also takes its two values as text, as in a query. */
function isEnumeration({ enum: values }: Schema): boolean {
  return values !== undefined && values.join() !== "true,false";
}

describe("credentials", () => {
  test("of a token request are optional, because they may come in a Basic header", () => {
    const { required } = document.components.schemas["TokenRequest"] ?? {};
    expect(required).toEqual(["grant_type", "code", "redirect_uri"]);
  });

  test("are Basic for management, Bearer for data and for the token itself, none for the rest", () => {
    expect(operations.map(([name, operation]) => [name, described(operation)])).toEqual(
      operations.map(([name]) => [name, schemeOf(name)]),
    );
  });
});
