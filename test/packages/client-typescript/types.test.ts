import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeTypes, type Description } from "../../../packages/client-typescript/write-types.ts";
import { createHarness, type Harness } from "../../support/harness.ts";
import { projectDir } from "../../support/program-environment.ts";

let harness: Harness;
let description: Description;
beforeAll(async () => {
  harness = await createHarness();
  description = (await harness.http.get("/openapi.json")).body as Description;
});
afterAll(() => harness.close());

test("the types of the library are those of the description; `npm run client:types` writes them", async () => {
  const file = join(projectDir, "packages/client-typescript/src/api.ts");
  await expect(await writeTypes(description)).toMatchFileSnapshot(file);
});
