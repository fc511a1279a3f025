import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderBug } from "../../src/providers/errors.ts";
import { version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { Receiver } from "../support/receiver.ts";
import { StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();

let harness: Harness;
let server: Receiver;
beforeAll(async () => {
  server = await Receiver.start();
  harness = await createHarness({ registry: stub.registry() });
  stub.onFetch = async ({ context, resource }) => {
    const { origin } = new URL(server.url);
    const http = context.http(origin);
    for (const path of ["/a", "/b", "/c"])
      await http.request({ method: "POST", url: origin + path, json: {} });
    if (resource === "groups") throw new ProviderBug("an answer that nobody can read");
  };
  stub.pages = { "work-locations": [[{ remote_id: "w1" }, { remote_id: "w2" }]] };
});
afterAll(async () => {
  await harness.close();
  await server.close();
});

test.each([
  ["work-locations", { outcome: "stored", pages: 1, records: 2 }],
  ["groups", { outcome: "broken", pages: 0, records: 0 }],
])(
  "a read says how many requests its last run made, also when it failed: %s",
  async (path, said) => {
    const { reads, metrics } = harness.services;
    metrics.providerRequests.reset();
    const { token: bearer } = await harness.connect({ provider: "stub" });
    await harness.http.get(`${version}/xhr/${path}`, { bearer });
    await harness.drain();
    const listed = await reads.lists.list({ limit: 10 });
    expect(listed.find(({ resource }) => resource === path)).toMatchObject({
      resource: path,
      providerRequests: 3,
      ...said,
    });
    const { values } = await metrics.providerRequests.get();
    expect(values).toEqual([{ labels: { provider: "stub" }, value: 3 }]);
  },
);
