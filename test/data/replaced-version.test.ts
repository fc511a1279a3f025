import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { fetchData, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const url = `${version}/xhr/company`;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

test("a version that is replaced each time it is opened is 202, without the headers of data", async () => {
  const { token: bearer } = await harness.connect();
  await fetchData(harness, bearer, url);
  const open = vi.spyOn(harness.services.sync, "open").mockResolvedValue(undefined);
  try {
    const { status, headers } = await harness.http.get(url, { bearer });
    expect(status).toBe(202);
    expect(headers["retry-after"]).toBe("1");
    for (const header of ["etag", "last-modified", "age"])
      expect(headers).not.toHaveProperty(header);
    expect(open).toHaveBeenCalledTimes(3);
  } finally {
    open.mockRestore();
  }
});
