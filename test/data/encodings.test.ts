import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  dataEndpointCases,
  fetchData,
  fetchList,
  locate,
  version,
} from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const decode: Record<string, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  deflate: (bytes) => inflateSync(bytes),
};
const encodings = Object.keys(decode);
const employees = `${version}/xhr/employees`;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** Reads the address in the encoding, and then as it is. */
async function readBoth(
  url: string,
  bearer: string,
  encoding: string,
  query: Record<string, string> = {},
) {
  const encoded = await harness.http.get(url, {
    bearer,
    query,
    headers: { "accept-encoding": encoding },
  });
  const plain = await harness.http.get(url, {
    bearer,
    query,
    headers: { "accept-encoding": "identity" },
  });
  return { encoded, plain, decoded: decode[encoding]?.(encoded.bytes) };
}

describe.each(encodings)("%s", (encoding) => {
  test.each<[string, Record<string, string>]>([
    ["the whole list", {}],
    ["a list of one status", { employment_status: "inactive" }],
  ])(
    "%s, when it is the first that is read, has the same bytes as without",
    async (_name, query) => {
      const { token } = await harness.connect();
      await harness.http.get(employees, { bearer: token });
      await harness.drain();
      const { encoded, plain, decoded } = await readBoth(employees, token, encoding, query);
      expect(encoded.headers["content-encoding"]).toBe(encoding);
      expect(decoded?.equals(plain.bytes)).toBe(true);
      expect(plain.body).not.toHaveLength(0);
      expect(encoded.headers["etag"]).toBe(plain.headers["etag"]);
      expect(encoded.headers["content-type"]).toBe(plain.headers["content-type"]);
    },
  );

  test("one employee", async () => {
    const { token } = await harness.connect();
    const [person] = await fetchList(harness, token, employees);
    const { encoded, plain, decoded } = await readBoth(`${version}/xhr/employee`, token, encoding, {
      id: person?.["id"] as string,
    });
    expect(encoded.headers["content-encoding"]).toBe(encoding);
    expect(decoded?.equals(plain.bytes)).toBe(true);
    expect(plain.body).toEqual(person);
  });

  test("an empty list, and an empty part of it", async () => {
    const { token } = await harness.connect({ user: "user_empty" });
    await fetchData(harness, token, employees);
    for (const query of [{}, { employment_status: "active" }]) {
      const { encoded, decoded } = await readBoth(employees, token, encoding, query);
      expect(encoded.headers["content-encoding"]).toBe(encoding);
      expect(decoded?.toString()).toBe("[]");
    }
  });

  test("replies that are not stored: 202, 404, identity", async () => {
    const { token } = await harness.connect();
    for (const [url, status] of [
      [employees, 202],
      [`${version}/xhr/identity`, 200],
      [`${version}/xhr/payruns/unknown`, 404],
    ] as const) {
      const { encoded, plain, decoded } = await readBoth(url, token, encoding);
      expect([encoded.status, encoded.headers["content-encoding"]]).toEqual([status, encoding]);
      expect(decoded?.equals(plain.bytes)).toBe(true);
    }
  });
});

describe("every endpoint", () => {
  test.each(
    dataEndpointCases
      .filter(({ mode }) => mode === "xhr")
      .map((endpoint) => [endpoint.path, endpoint] as const),
  )("%s has the same bytes in every encoding", async (_name, endpoint) => {
    const { token } = await harness.connect();
    const { url, query } = await locate(harness, token, endpoint);
    await fetchData(harness, token, url, query);
    for (const encoding of encodings) {
      const { encoded, plain, decoded } = await readBoth(url, token, encoding, query);
      expect(encoded.headers["content-encoding"]).toBe(encoding);
      expect(decoded?.equals(plain.bytes)).toBe(true);
    }
  });
});

describe("a body that is large for the cache is streamed", () => {
  let small: Harness;
  beforeAll(async () => {
    small = await createHarness({ env: { CACHE_MAX_BYTES: "4096" } });
  });
  afterAll(() => small.close());

  test.each([...encodings, "identity"])("in %s with the same bytes", async (encoding) => {
    const { token } = await small.connect();
    const everybody = await fetchList(small, token, employees);
    const read = async (query: Record<string, string> = {}): Promise<string> => {
      const headers = { "accept-encoding": encoding };
      const reply = await small.http.get(employees, { bearer: token, query, headers });
      expect(reply.status).toBe(200);
      return (decode[encoding]?.(reply.bytes) ?? reply.bytes).toString();
    };
    expect(await read()).toBe(JSON.stringify(everybody));
    for (const status of ["active", "inactive", "pending", "leave"])
      expect(await read({ employment_status: status })).toBe(
        JSON.stringify(everybody.filter((person) => person["employment_status"] === status)),
      );
  });

  test("and one employee of it is the same, and an unknown one is 404", async () => {
    const { token } = await small.connect();
    const everybody = await fetchList(small, token, employees);
    const one = async (id: string) =>
      await small.http.get(`${version}/xhr/employee`, { bearer: token, query: { id } });
    for (const person of [everybody[0], everybody.at(-1)])
      expect((await one(person?.["id"] as string)).body).toEqual(person);
    expect((await one("AAAAAAAAAAAAAAAAAAAAAA")).status).toBe(404);
  });
});

describe("no encoding", () => {
  test.each<[string, Record<string, string>]>([
    ["without the header", {}],
    ["with identity", { "accept-encoding": "identity" }],
    ["with an encoding that is not offered", { "accept-encoding": "zstd" }],
    ["with every offered one forbidden", { "accept-encoding": "br;q=0, gzip;q=0, deflate;q=0" }],
  ])("%s the reply names none, and still varies by the header", async (_name, headers) => {
    const { token } = await harness.connect();
    await fetchData(harness, token, employees);
    const reply = await harness.http.get(employees, { bearer: token, headers });
    expect(reply.headers["content-encoding"]).toBeUndefined();
    expect(reply.headers["vary"]).toMatch(/accept-encoding/i);
    expect(reply.body).toBeInstanceOf(Array);
  });

  test.each([
    ["gzip;q=0.5, br;q=0.4", "gzip"],
    ["gzip, deflate, br", "br"],
    ["deflate, gzip", "gzip"],
    ["identity;q=0.1, deflate;q=0.2", "deflate"],
  ])("of %s a stored reply comes in %s", async (header, encoding) => {
    const { token } = await harness.connect();
    await fetchData(harness, token, employees);
    const reply = await harness.http.get(employees, {
      bearer: token,
      headers: { "accept-encoding": header },
    });
    expect(reply.headers["content-encoding"]).toBe(encoding);
    expect(decode[encoding]?.(reply.bytes).toString()).toMatch(/^\[\{/);
  });
});
