import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();
const company = "/2023-03-01/xhr/company";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
});
afterAll(() => harness.close());

test("what fails after a read is stored is no failure of the read, and keeps nobody else from hearing of it", async () => {
  const { reads, metrics } = harness.services;
  const heard: string[] = [];
  reads.observe({
    onSettled: async () => {
      throw new Error("an observer of the test");
    },
  });
  reads.observe({ onSettled: async ({ resource }) => void heard.push(resource) });
  stub.pages = { company: [[{ remote_id: "c1", legal_name: "Acme" }]] };
  const { token: bearer } = await harness.connect({ provider: "stub" });
  await harness.http.get(company, { bearer });
  await harness.drain();
  expect((await harness.http.get(company, { bearer })).status).toBe(200);
  expect(heard).toEqual(["company"]);
  expect(stub.fetches).toHaveLength(1);
  const { values } = await metrics.reads.get();
  expect(values.map(({ labels }) => labels.outcome)).toEqual(["stored"]);
  const errors = harness.logLines.filter((line) => line.includes('"level":50'));
  expect(errors).toEqual([expect.stringContaining("what follows a settled read failed")]);
});
