import { afterAll, beforeAll, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { readDocument } from "../support/documents.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

const employees = "/2023-03-01/xhr/employees";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const read = (bearer?: string): Promise<Reply> =>
  harness.http.get(employees, bearer === undefined ? {} : { bearer });

async function readDisconnected(): Promise<Reply> {
  const { token } = await harness.connect();
  await harness.http.post("/2023-03-01/management/disconnect", { bearer: token });
  return await read(token);
}

async function readWithoutScope(): Promise<Reply> {
  const { token } = await harness.connect({ scopes: ["/2023-03-01/xhr/company"] });
  return await read(token);
}

/** The request that gets each message that the guide quotes. */
const requests: Readonly<Record<string, () => Promise<Reply>>> = {
  "The request has no access token.": () => read(),
  "The Authorization header has another scheme than Bearer": () =>
    harness.http.get(employees, { headers: { authorization: mintCredential("at", "dev") } }),
  "The request has more than one Authorization header": () =>
    harness.http.get(employees, { headers: { authorization: ["Bearer a", "Bearer b"] } }),
  "The access token is mistyped or cut off": () => read("rc_at_dev_mistyped"),
  "There is no such access token.": () => read(mintCredential("at", "dev")),
  "What was sent is": () => read(mintCredential("cs", "dev")),
  "The client credentials are missing or wrong: send the client's id and secret as Basic.": () =>
    harness.http.get("/2023-03-01/management/client"),
  "The token was disconnected.": readDisconnected,
  "The token is of another environment.": () => read(mintCredential("at", "prod")),
  "This endpoint needs the scope": readWithoutScope,
};

test("every message that the guides of errors and of going live quote is one that the service sends", async () => {
  const quotes = ["docs/errors-and-limits.md", "docs/going-live.md"].flatMap((path) =>
    [
      ...readDocument(path)
        .replaceAll(/\s+/g, " ")
        .matchAll(/"([A-Z][a-z][^"…{]+)"/g),
    ].map(([, quote = ""]) => quote),
  );
  expect([...new Set(quotes)].sort()).toEqual(Object.keys(requests).sort());
  for (const [quote, request] of Object.entries(requests)) {
    const { status, body } = await request();
    expect([401, 403]).toContain(status);
    expect((body as { message: string }).message.startsWith(quote)).toBe(true);
  }
});
