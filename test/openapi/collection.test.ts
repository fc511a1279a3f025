import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeCollection, type Description } from "../../packages/collection/write-collection.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { projectDir } from "../support/program-environment.ts";

interface Item {
  name: string;
  item?: Item[];
  request?: {
    method: string;
    auth: { type: "noauth" | "basic" | "bearer" };
    header?: { key: string; value: string }[];
    url: { raw: string; variable?: { key: string; value: string }[] };
    body?: { raw: string };
  };
}

let harness: Harness;
let description: Description;
let collection: { item: Item[]; variable: { key: string; value: string }[] };
let text: string;
beforeAll(async () => {
  harness = await createHarness();
  description = (await harness.http.get("/openapi.json")).body as Description;
  text = writeCollection(description);
  collection = JSON.parse(text) as typeof collection;
});
afterAll(() => harness.close());

test("the collection is as the service describes itself (npm run collection)", async () => {
  const file = join(projectDir, "packages/collection/rollcall.postman_collection.json");
  await expect(text).toMatchFileSnapshot(file);
});

test("a request that lets reads fail names a failure, as the service describes it", () => {
  const requests = collection.item.flatMap(({ item = [] }) => item);
  const fail = requests.find(({ request }) => request?.url.raw.endsWith("/fail"));
  const [example] = description.components.schemas["SandboxFailure"]?.examples ?? [];
  expect(example).toHaveProperty("code");
  expect(JSON.parse(fail?.request?.body?.raw ?? "")).toEqual(example);
});

test("the collection holds no credential", () => {
  expect(text).not.toMatch(/rc_[a-z]{2}_/);
});

test("each request of the collection is understood, once its variables are filled in", async () => {
  const { client, secret, token } = await harness.connect();
  const values: Record<string, string> = {
    base_url: harness.baseUrl,
    client_id: client.clientId,
    client_secret: secret,
    access_token: token,
    code: "unknown",
    redirect_uri: redirectUri,
  };
  expect(collection.variable.map(({ key }) => key)).toEqual(Object.keys(values));
  const fill = (given: string): string =>
    given.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
  const refused: string[] = [];
  const requests = collection.item.flatMap(({ item = [] }) => item);
  const inOrder = [...requests.filter((one) => !ends(one)), ...requests.filter(ends)];
  for (const { name, request } of inOrder) {
    const { method = "", auth, header = [], url, body } = request ?? {};
    const address = (url?.variable ?? []).reduce(
      (raw, { key, value }) => raw.replace(`:${key}`, value || "unknown"),
      fill(url?.raw ?? ""),
    );
    const credential = {
      noauth: "",
      bearer: `Bearer ${token}`,
      basic: basic(client.clientId, secret),
    };
    const authorization = credential[auth?.type ?? "noauth"];
    const headers = new Headers(header.map(({ key, value }): [string, string] => [key, value]));
    if (authorization) headers.set("authorization", authorization);
    // Nobody works on reads here.
    headers.delete("prefer");
    const sent = { method, headers, ...(body && { body: fill(body.raw) }) };
    const reply = await fetch(address, sent);
    await reply.body?.cancel();
    if (!reply.ok) refused.push(`${reply.status} ${method} ${new URL(address).pathname} ${name}`);
  }
  // What is asked for by an id that the example made up is not there, and the token is of the other mode.
  const expected = /^(?:404 .*|403 GET \/2023-03-01\/official\/.*)$/;
  expect(refused.filter((line) => !expected.test(line))).toEqual([]);
  expect(refused.length).toBeLessThan((2 * requests.length) / 3);
});

/** Nothing can be read after a disconnect. */
const ends = ({ request }: Item): boolean => request?.url.raw.endsWith("/disconnect") ?? false;

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
