import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describedOperations } from "../support/described-operations.ts";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** The operations that answer 415 to such a body, as methods and paths. */
async function refusing(body: string | Buffer, headers: Record<string, string>): Promise<string[]> {
  const { client, secret, token } = await harness.connect();
  const replies = await Promise.all(
    (await describedOperations(harness.http)).map(async ({ method, path, template, schemes }) => {
      const { status } = await harness.http.request(method, path, {
        headers,
        body,
        ...(schemes.includes("basic") && { basic: [client.clientId, secret] as [string, string] }),
        ...(schemes.includes("bearer") && { bearer: token }),
      });
      return status === 415 ? [`${method} ${template}`] : [];
    }),
  );
  return replies.flat();
}

test("415 is described where it is answered, and nowhere else", async () => {
  const document = (await harness.http.get("/openapi.json")).body as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  const described = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => "415" in responses)
      .map(([method]) => `${method.toUpperCase()} ${template}`),
  );
  const ofType = await refusing("<x/>", { "content-type": "application/xml" });
  const compressed = await refusing(gzipSync("{}"), {
    "content-type": "application/json",
    "content-encoding": "gzip",
  });
  expect([...new Set([...ofType, ...compressed])].toSorted()).toEqual(described.toSorted());
});
