import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { people, person } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

interface Operation {
  parameters: { in: string; name: string; required: boolean; schema: object }[];
  requestBody: { required: boolean; content: { "application/json": { schema: object } } };
  responses: Record<string, { description: string; headers?: object }>;
}

interface Document {
  webhooks: { employees: { post: Operation } };
  components: { schemas: Record<string, object> };
}

/** Headers of HTTP itself. */
const transport = new Set(["connection", "content-length", "content-type", "host"]);

const { harness, receiver } = await stageWebhooks();
const document = (await harness.http.get("/openapi.json")).body as Document;
const operation = document.webhooks.employees.post;

function flawsOf(schema: object, value: unknown): unknown {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const { schemas } = document.components;
  const validate = ajv.compile({ ...schema, components: { schemas } });
  validate(value);
  return validate.errors;
}

test("a webhook that arrives has the headers and the body of the description", async () => {
  const label = { reference: "customer-4711", metadata: null };
  const company = await harness.watchCompany(people(3), receiver.url, { label });
  company.people = [person(1, { first_name: "Changed" }), ...people(3).slice(2), person(4)];
  await harness.pollNextHour();
  const { headers, body } = receiver.last;

  const { parameters, requestBody } = operation;
  expect(parameters.every((parameter) => parameter.in === "header")).toBe(true);
  const optional = parameters.filter(({ required }) => !required);
  expect(optional.map(({ name }) => name)).toEqual(["x-service-api-reference"]);
  expect(parameters.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(headers)
      .filter((name) => !transport.has(name))
      .toSorted(),
  );
  for (const { name, schema } of parameters)
    expect([name, flawsOf(schema, headers[name])]).toEqual([name, null]);
  expect(flawsOf(requestBody.content["application/json"].schema, body)).toBeNull();
  expect(body.added.length + body.updated.length).toBeGreaterThan(0);
});

test("a body that lacks an array, or holds an employee without a field, is not as described", () => {
  const { schema } = operation.requestBody.content["application/json"];
  expect(flawsOf(schema, { added: [], updated: [] })).not.toBeNull();
  expect(flawsOf(schema, { added: [{ id: "1" }], removed: [], updated: [] })).not.toBeNull();
});

test("the answers say what each of them leads to", () => {
  expect(Object.keys(operation.responses).toSorted()).toEqual([
    "2XX",
    "410",
    "429",
    "503",
    "default",
  ]);
  for (const status of ["429", "503"])
    expect(operation.responses[status]?.headers).toHaveProperty("Retry-After");
});

test("an event that arrives has the headers and the body of its description", async () => {
  const company = await harness.connectCompany(people(1));
  await harness.services.events.place();
  const client = await harness.services.clients.find(company.client.clientId);
  await harness.services.clients.update(client!, { eventUri: receiver.url });
  await harness.services.tokens.disconnectById(company.tokenId);
  await harness.tick();
  await harness.services.events.place();
  await harness.work();
  const { headers, bytes } = receiver.last;
  const described = (document.webhooks as unknown as Record<string, { post: Operation }>)[
    "connection.ended"
  ]!.post;
  const names = Object.keys(headers).filter((name) => !transport.has(name));
  expect(names.toSorted()).toEqual(
    described.parameters
      .filter(({ required }) => required)
      .map(({ name }) => name)
      .toSorted(),
  );
  const { schema } = described.requestBody.content["application/json"];
  const body = JSON.parse(bytes.toString()) as { type: string };
  expect(flawsOf(schema, body)).toBeNull();
  expect(flawsOf(schema, { ...body, type: "connection.healed" })).not.toBeNull();
});
