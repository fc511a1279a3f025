import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchData, fetchList, january } from "../support/data-endpoints.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

type Body = Record<string, unknown>;

interface Schema {
  $ref?: string;
  items?: Schema;
  examples?: unknown[];
}

interface Media {
  schema: Schema;
  example?: unknown;
}

interface Operation {
  operationId: string;
  responses: Record<string, { content?: { "application/json": Media } }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const management = "/2023-03-01/management";
const xhr = "/2023-03-01/xhr";
const sandbox = "sandbox/connections";

let harness: Harness;
let document: Document;
let connected: Awaited<ReturnType<Harness["connect"]>>;
let basic: [string, string];

beforeAll(async () => {
  harness = await createHarness();
  document = (await harness.http.get("/openapi.json")).body as Document;
  connected = await harness.connect();
  basic = [connected.client.clientId, connected.secret];
});
afterAll(() => harness.close());

function findExample(operationId: string, status: number): unknown {
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find((candidate) => candidate.operationId === operationId);
  const media = operation?.responses[status]?.content?.["application/json"];
  const { $ref = "", examples } = media?.schema.items ?? media?.schema ?? {};
  return (
    media?.example ??
    (examples ?? document.components.schemas[$ref.split("/").at(-1) ?? ""]?.examples)?.[0]
  );
}

/** Ids are other ones on each connection. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      /^id$|(?<!remote)_id$/.test(key) && !/^remote_id$|_remote_id$|^tax_id$/.test(key)
        ? typeof inner
        : withoutIds(inner),
    ]),
  );
}

const absences = { start_date: "2026-03-01", end_date: "2026-03-31" };

describe("the example of a record is one that the sandbox gives", () => {
  test.each<[operationId: string, path: string, query?: Record<string, string>]>([
    ["listCompanies", "company"],
    ["listEmployees", "employees"],
    ["listGroups", "groups"],
    ["listPayruns", "payruns", january],
    ["listTimesheets", "timesheets", january],
    ["listTimeOffEntries", "time-off-entries", absences],
    ["listTimeOffBalances", "time-off-balances"],
    ["listWorkLocations", "work-locations"],
  ])("%s", async (operationId, path, query) => {
    const records = await fetchList(harness, connected.token, `${xhr}/${path}`, query);
    expect(records.map(withoutIds)).toContainEqual(withoutIds(findExample(operationId, 200)));
  });

  test("listPayslips", async () => {
    const { token } = await harness.connect();
    const [payrun] = await fetchList(harness, token, `${xhr}/payruns`, january);
    const payslips = await fetchList(harness, token, `${xhr}/payruns/${String(payrun?.["id"])}`);
    expect(payslips.map(withoutIds)).toContainEqual(withoutIds(findExample("listPayslips", 200)));
  });

  test("getIdentity", async () => {
    const { body } = await harness.http.get(`${xhr}/identity`, { bearer: connected.token });
    expect(body).toEqual(findExample("getIdentity", 200));
  });
});

const post = (path: string, json: Body, own = true): Promise<Reply> =>
  harness.http.post(`${management}/${path}`, { json, ...(own && { basic }) });
const read = (path: string, query: Record<string, string> = {}): Promise<Reply> =>
  harness.http.get(`${xhr}/${path}`, { bearer: connected.token, query });
const list = (path: string, query: Record<string, string>): Promise<Reply> =>
  harness.http.get(`${management}/${path}`, { basic, query });
const unknownId = "01a1fd39-1dc3-72c9-9867-e2fd22989539";

describe("the example of a refusal is what the service says", () => {
  test.each<[operationId: string, status: number, request: () => Promise<Reply>]>([
    ["listPayruns", 400, () => read("payruns", { end_date: "2026-01-31" })],
    ["listEmployees", 400, () => read("employees", { employment_status: "fired" })],
    ["getEmployee", 400, () => read("employee")],
    ["createSandboxConnection", 400, () => post(sandbox, { scenario: "user_bad_password" })],
    [
      "failSandboxConnection",
      400,
      () => post(`${sandbox}/${connected.tokenId}/fail`, { code: "x" }),
    ],
    ["pollSandboxConnection", 400, () => post(`${sandbox}/${connected.tokenId}/poll`, {})],
    ["sendSandboxWebhook", 400, () => post(`${sandbox}/${connected.tokenId}/webhook`, {})],
    ["listEmployees", 202, () => readAnew()],
    ["listEmployees", 401, () => harness.http.get(`${xhr}/employees`, { bearer: "unknown" })],
    ["listEmployees", 403, () => readDisconnected()],
    ["getEmployee", 404, () => readEmployee("unknown")],
    ["listPayslips", 404, () => read("payruns/unknown")],
    ["getClient", 401, () => harness.http.get(`${management}/client`)],
    ["updateClient", 400, () => post("client", { name: "" })],
    ["listTokens", 400, () => list("tokens", { after: unknownId })],
    ["listDeliveries", 400, () => list("deliveries", { after: "x" })],
    ["replayDelivery", 404, () => post("deliveries/unknown/replay", {})],
    ["createConnectSession", 400, () => post("connect-session", {})],
    [
      "createConnectSession",
      404,
      () => post("connect-session", { redirect_uri: redirectUri, token: unknownId }),
    ],
    ["introspectToken", 400, () => harness.http.get(`${management}/introspect`)],
    [
      "introspectToken",
      404,
      () => harness.http.get(`${management}/introspect`, { bearer: "unknown" }),
    ],
    [
      "disconnectToken",
      403,
      () => harness.http.post(`${management}/disconnect`, { bearer: "unknown" }),
    ],
    ["createToken", 400, () => exchange({ client_secret: "unknown" })],
    ["createToken", 404, () => exchange({ code: "unknown" })],
    ["createToken", 401, () => exchangeForm()],
    [
      "updateClient",
      413,
      () =>
        harness.http.post(`${management}/client`, {
          basic,
          headers: { "content-type": "application/json" },
          body: " ".repeat(210_000),
        }),
    ],
    [
      "updateClient",
      415,
      () =>
        harness.http.post(`${management}/client`, {
          basic,
          headers: { "content-type": "text/plain" },
          body: "x",
        }),
    ],
  ])("%s %i", async (operationId, status, request) => {
    const reply = await request();
    expect([reply.status, reply.body]).toEqual([status, findExample(operationId, status)]);
  });
});

async function exchange(change: Body): Promise<Reply> {
  return await post(
    "token",
    { ...exchangeBody(await signIn(harness.services, { client: connected })), ...change },
    false,
  );
}

async function exchangeForm(): Promise<Reply> {
  return await harness.http.post(`${management}/token`, {
    basic: [connected.client.clientId, "unknown"],
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: "unknown",
      redirect_uri: redirectUri,
    }).toString(),
  });
}

async function readAnew(): Promise<Reply> {
  const { token } = await harness.connect();
  return await harness.http.get(`${xhr}/employees`, { bearer: token });
}

async function readDisconnected(): Promise<Reply> {
  const { token } = await harness.connect();
  await harness.http.post(`${management}/disconnect`, { bearer: token });
  return await harness.http.get(`${xhr}/employees`, { bearer: token });
}

async function readEmployee(id: string): Promise<Reply> {
  const { token } = await harness.connect();
  await fetchData(harness, token, `${xhr}/employees`);
  return await harness.http.get(`${xhr}/employee`, { bearer: token, query: { id } });
}

test("every example is valid by its own schema", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const { schemas } = document.components;
  const flaws = Object.entries(schemas).flatMap(([name, { examples = [] }]) =>
    examples.flatMap((example) => {
      const validate = ajv.compile({
        $ref: `#/components/schemas/${name}`,
        components: { schemas },
      });
      return validate(example) ? [] : [{ name, errors: validate.errors }];
    }),
  );
  expect(flaws).toEqual([]);
});
