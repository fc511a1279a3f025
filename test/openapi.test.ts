import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopes, type EndpointPath } from "../src/model/index.ts";
import { createHarness, defaultLimits, type Harness } from "./support/harness.ts";
import { readRoutes } from "./support/read-routes.ts";
import { StubProvider } from "./support/stub-provider.ts";

type Schema = Record<string, unknown> & {
  $ref?: string;
  type?: string;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  enum?: unknown[];
  examples?: unknown[];
  example?: unknown;
};

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: unknown;
}

interface Header {
  $ref?: string;
  schema: Schema;
}

interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
    example?: unknown;
    examples?: unknown;
  }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<
    string,
    {
      description: string;
      headers?: Record<string, Header>;
      content?: Record<string, Media>;
    }
  >;
}

interface Document {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, { type: string; scheme: string }>;
  };
}

let harness: Harness;
let document: Document;
let operations: { name: string; path: string; method: string; operation: Operation }[];

beforeAll(async () => {
  harness = await createHarness({ env: { OUTBOUND_ADDRESSES: "192.0.2.1,192.0.2.2" } });
  document = (await harness.http.get("/openapi.json")).body as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );
});
afterAll(() => harness.close());

const find = (name: string): Operation => {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`${name} is not described`);
  return found.operation;
};

/** The schema itself, or each of those between which it leaves the choice. */
const variants = (schema: Schema): Schema[] => {
  const resolved = resolve(schema);
  const choices = resolved.anyOf ?? resolved.oneOf;
  return choices ? choices.flatMap(variants) : [resolved];
};

const resolve = (schema: Schema): Schema =>
  schema.$ref
    ? resolve(document.components.schemas[schema.$ref.replace("#/components/schemas/", "")] ?? {})
    : schema;

const resolveHeader = ({ $ref, schema }: Header): Schema =>
  $ref ? (document.components.headers[$ref.split("/").at(-1) ?? ""]?.schema ?? {}) : schema;

/** The names of those for which the check does not hold. */
const failing = (check: (operation: Operation) => boolean): string[] =>
  operations.filter(({ operation }) => !check(operation)).map(({ name }) => name);

const core: [name: string, scheme: "none" | "basic" | "bearer", statuses: number[]][] = [
  ["GET /providers", "none", [200, 500]],
  ["GET /2023-03-01/management/client", "basic", [200, 400, 401, 429, 500]],
  ["POST /2023-03-01/management/client", "basic", [200, 400, 401, 409, 429, 500]],
  ["GET /2023-03-01/management/tokens", "basic", [200, 400, 404, 409, 429, 500]],
  ["POST /2023-03-01/management/token", "none", [201, 400, 404, 409, 429, 500]],
  ["GET /2023-03-01/management/introspect", "bearer", [200, 400, 403, 404, 429, 500]],
  ["POST /2023-03-01/management/disconnect", "bearer", [200, 403, 429, 500]],
];

const dataStatuses = [200, 202, 401, 429, 500, 501];
const range = { start_date: true, end_date: true };
interface DescribedEndpoint {
  /** By name, whether it is required. */
  parameters: Record<string, boolean>;
  list?: string;
  single?: string;
  statuses?: number[];
}
const data: Record<EndpointPath, DescribedEndpoint> = {
  company: { parameters: {}, list: "Company" },
  employee: { parameters: { id: true }, single: "Employee", statuses: [...dataStatuses, 404] },
  employees: { parameters: { employment_status: false }, list: "Employee" },
  groups: { parameters: {}, list: "Group" },
  identity: { parameters: {}, single: "Identity", statuses: [200, 401, 429, 500] },
  payruns: { parameters: range, list: "Payrun" },
  "payruns/:payrun_id": { parameters: { payrun_id: true }, list: "Payslip" },
  timesheets: { parameters: range, list: "Timesheet" },
  "time-off-entries": { parameters: range, list: "TimeOffEntry" },
  "time-off-balances": { parameters: {}, list: "TimeOffBalance" },
  "work-locations": { parameters: {}, list: "WorkLocation" },
};

describe("the document", () => {
  test("describes the same operations, whatever the operator chose", async () => {
    const { database, environment } = harness;
    const other = await createHarness({
      database,
      registry: new StubProvider().registry(),
      env: {
        ...defaultLimits,
        MASTER_KEYS: environment["MASTER_KEYS"] ?? "",
        ENVIRONMENT: "prod",
        SANDBOX_ACCESS_TOKEN: "",
        PUBLIC_URL: "https://hr.example.com",
        OPERATOR_NAME: "Acme",
      },
    });
    const described = (await other.http.get("/openapi.json")).body as Document;
    await other.close();
    expect(described.paths).toEqual(document.paths);
    expect(described.components).toEqual(document.components);
  });

  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document) as never);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, "3.1"]);
  });

  test("refers to nothing that it does not hold, and to no other document", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference ?? "",
    );
    const held = new Set(
      (["schemas", "headers"] as const).flatMap((kind) =>
        Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
      ),
    );
    expect(references.length).toBeGreaterThan(100);
    expect([...new Set(references)].filter((reference) => !held.has(reference))).toEqual([]);
  });

  test("names the version, the service's address and the addresses of its outgoing requests", () => {
    expect(document.info.version).toBe("2023-03-01");
    expect(document.servers.map(({ url }) => url)).toEqual(["https://api.example.com"]);
    for (const address of ["192.0.2.1", "192.0.2.2"])
      expect(document.info.description).toContain(address);
  });

  test("knows the two schemes of the specification", () => {
    expect(
      Object.values(document.components.securitySchemes)
        .map(({ type, scheme }) => `${type} ${scheme}`)
        .sort(),
    ).toEqual(["http basic", "http bearer"]);
  });
});

describe("the specification's endpoints", () => {
  test.each(core)(
    "%s is described with its scheme (%s) and its statuses",
    (name, scheme, statuses) => {
      const { security, responses } = find(name);
      const withoutCredential = [[], [{}, { basic: [] }]];
      expect(scheme === "none" ? withoutCredential : [[{ [scheme]: [] }]]).toContainEqual(security);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses.map(String)));
    },
  );

  test.each(Object.entries(data))(
    "GET /2023-03-01/xhr/%s is described with its parameters, its body and its statuses",
    (path, { parameters, list, single, statuses = dataStatuses }) => {
      const {
        security,
        responses,
        parameters: described = [],
      } = find(`GET /2023-03-01/xhr/${path.replace(":payrun_id", "{payrun_id}")}`);
      expect(security).toEqual([{ bearer: [] }]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses.map(String)));
      expect(
        Object.fromEntries(
          described
            .filter((parameter) => parameter.in !== "header")
            .map(({ name, required = false }) => [name, required]),
        ),
      ).toEqual(parameters);
      expect(
        described.filter((parameter) => parameter.in === "header").map(({ name }) => name),
      ).toEqual(
        path === "identity"
          ? ["If-None-Match", "If-Modified-Since"]
          : ["If-None-Match", "If-Modified-Since", "Prefer", "Cache-Control"],
      );
      expect(responses["200"]?.content?.["application/json"]?.schema).toMatchObject(
        list === undefined
          ? { $ref: `#/components/schemas/${single}` }
          : { type: "array", items: { $ref: `#/components/schemas/${list}` } },
      );
    },
  );

  test("identity never answers 202", () => {
    for (const mode of ["xhr", "official"])
      expect(find(`GET /2023-03-01/${mode}/identity`).responses).not.toHaveProperty("202");
  });

  test("employment_status is one of four", () => {
    const parameter = find("GET /2023-03-01/xhr/employees").parameters?.find(
      ({ name }) => name === "employment_status",
    );
    expect(resolve(parameter?.schema ?? {}).enum).toEqual([
      "active",
      "inactive",
      "pending",
      "leave",
    ]);
  });

  test("dates are dates", () => {
    for (const path of ["payruns", "timesheets", "time-off-entries"]) {
      const parameters = find(`GET /2023-03-01/xhr/${path}`).parameters ?? [];
      for (const { schema } of parameters.filter((parameter) => parameter.in === "query"))
        expect(resolve(schema)).toMatchObject({ type: "string", format: "date" });
    }
  });

  test.each([
    ["POST /2023-03-01/management/client", ["client_secret", "name", "webhook_uri"]],
    [
      "POST /2023-03-01/management/token",
      ["client_id", "client_secret", "code", "grant_type", "redirect_uri"],
    ],
  ])("%s requires a JSON body with the fields of the specification", (name, fields) => {
    const body = find(name).requestBody;
    expect(body?.required).toBe(true);
    expect(
      Object.keys(resolve(body?.content["application/json"]?.schema ?? {}).properties ?? {}),
    ).toEqual(expect.arrayContaining(fields));
  });

  test("every scope is the path of an operation", () => {
    const paths = new Set(
      Object.keys(document.paths).map((path) => path.replace("{payrun_id}", ":payrun_id")),
    );
    expect(scopes.filter((scope) => !paths.has(scope))).toEqual([]);
  });
});

/** What people read, and what is not of this API. */
const isPage = (name: string): boolean =>
  / \/(docs|connect)(\/|$)/.test(name) ||
  name.endsWith(" /") ||
  name.endsWith(" /openapi.json") ||
  name.endsWith(" /llms.txt") ||
  name.endsWith(" *") ||
  ["GET /favicon.ico", "GET /robots.txt"].includes(name) ||
  name.includes("/.well-known/");

describe("every operation", () => {
  test("that the service has is described, but for pages and for the description itself", async () => {
    const routes = await readRoutes(harness.services);
    const described = new Set(operations.map(({ name }) => name));
    expect(
      routes.filter((name) => !name.startsWith("HEAD ") && !isPage(name) && !described.has(name)),
    ).toEqual([]);
    expect(routes.length).toBeGreaterThan(40);
  });

  test("has an operationId of its own", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id ?? ""))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("stands in one group that the document describes", () => {
    const known = new Set(document.tags.map(({ name }) => name));
    expect(failing(({ tags = [] }) => tags.length === 1 && known.has(tags[0] ?? ""))).toEqual([]);
  });

  test("that takes a body describes the 413 and the 415 that it can get", () => {
    expect(
      failing(
        ({ requestBody, responses }) => !requestBody || ("413" in responses && "415" in responses),
      ),
    ).toEqual([]);
  });

  test("has a summary", () => {
    expect(failing(({ summary }) => (summary ?? "").length > 3)).toEqual([]);
  });

  test("says which credential it asks for, if any", () => {
    expect(failing(({ security }) => security !== undefined)).toEqual([]);
  });

  test("describes the 429 that it can answer: all of them count", () => {
    expect(failing(({ responses }) => "429" in responses)).toEqual([]);
  });

  test("that reads JSON describes the 400 that malformed JSON gets", () => {
    expect(failing(({ requestBody, responses }) => !requestBody || "400" in responses)).toEqual([]);
  });

  test("describes Retry-After on each 202, 429 and 503", () => {
    const flaws = operations.flatMap(({ name, operation }) =>
      ["202", "429", "503"]
        .filter(
          (status) =>
            operation.responses[status] &&
            resolveHeader(operation.responses[status].headers?.["Retry-After"] ?? { schema: {} })
              .type !== "integer",
        )
        .map((status) => `${name} ${status}`),
    );
    expect(flaws).toEqual([]);
    expect(
      operations.filter(({ operation }) => "202" in operation.responses).length,
    ).toBeGreaterThan(10);
  });

  test("gives an example of each body that it takes or answers with", () => {
    const flaws = operations.flatMap(({ name, operation }) => [
      ...(operation.requestBody && !hasExample(operation.requestBody.content["application/json"])
        ? [`${name} body`]
        : []),
      ...Object.entries(operation.responses)
        .filter(([status]) => status !== "304")
        .filter(([, { content }]) => !hasExample(content?.["application/json"]))
        .map(([status]) => `${name} ${status}`),
    ]);
    expect(flaws).toEqual([]);
  });

  test("gives an example or the possible values of each parameter, and says what it is", () => {
    const flaws = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter(
          ({ description, schema, example, examples }) =>
            !description ||
            !(
              example !== undefined ||
              examples !== undefined ||
              resolve(schema).enum ||
              resolve(schema).examples
            ),
        )
        .map((parameter) => `${name} ${parameter.name}`),
    );
    expect(flaws).toEqual([]);
  });
});

/** Of RFC 6749, for clients that authenticate with Basic. */
const isOAuthRefusal = (name: string, status: string): boolean =>
  name === "POST /2023-03-01/management/token" && status === "401";

test("every error body has the fields of the specification's table", () => {
  const fields: Record<string, string[]> = {
    202: ["message"],
    400: ["message", "validation_error"],
    401: ["error", "message", "code"],
    403: ["message"],
    404: ["message", "id"],
    409: ["error", "code", "token"],
    429: ["message"],
    500: ["message"],
    501: ["message"],
    503: ["message"],
  };
  const flaws = operations
    .filter(({ path }) => path !== "/readyz")
    .flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => fields[status] && !isOAuthRefusal(name, status))
        .filter(
          ([status, { content }]) =>
            !variants(content?.["application/json"]?.schema ?? {}).some(({ properties = {} }) =>
              fields[status]?.every((field) => field in properties),
            ),
        )
        .map(([status]) => `${name} ${status}`),
    );
  expect(flaws).toEqual([]);
});

function hasExample(media: Media | undefined): boolean {
  if (!media) return false;
  const { schema, example, examples } = media;
  if (example !== undefined || examples !== undefined) return true;
  const candidates = [resolve(schema), ...variants(schema)].flatMap((candidate) =>
    candidate.items ? [candidate, resolve(candidate.items)] : [candidate],
  );
  return candidates.some(
    (candidate) => candidate.example !== undefined || (candidate.examples?.length ?? 0) > 0,
  );
}
