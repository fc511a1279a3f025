import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { failedWith, rollcall } from "../support/command-line.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const unknownId = "01a1fd50-0000-7000-8000-000000000000";

let harness: Harness;
let token: string;
let readId: string;
beforeAll(async () => {
  harness = await createHarness({ clock: systemClock });
  ({ token } = await harness.connect());
  await get();
  const [row] = await harness.database.query("select id from reads");
  readId = String(row?.["id"]);
});
afterAll(() => harness.close());

const get = () => harness.http.get("/2023-03-01/xhr/company", { bearer: token });
const run = (...args: string[]) => rollcall(["reads", ...args, "--json"], harness.environment);

test("an operator lists the reads, looks at one and cancels it, and its callers get 503", async () => {
  const listed = (await run("list", "--pending")).json<Record<string, unknown>[]>();
  expect(listed).toMatchObject([
    { id: readId, provider: "sandbox", resource: "company", state: "pending", outcome: null },
  ]);
  expect((await run("show", readId)).json()).toMatchObject({ id: readId, run: 0, bytes: 0 });
  expect((await run("cancel", readId)).json()).toMatchObject({ outcome: "unavailable" });
  expect((await get()).status).toBe(503);
  expect((await run("list", "--pending")).json()).toEqual([]);
  expect(await run("cancel", readId)).toMatchObject(failedWith(1, /no pending read/));
});

test.each(["show", "cancel"])(
  "%s refuses what is no id, and an id that is not known",
  async (command) => {
    expect(await run(command, "x")).toMatchObject(failedWith(2, /named by its id/));
    expect(await run(command, unknownId)).toMatchObject(failedWith(1, /./));
  },
);

test("the list is narrowed by state, client, provider and time, and shows what a read stored", async () => {
  const { token: other, client } = await harness.connect();
  const answered = await harness.http.get("/2023-03-01/xhr/employees", { bearer: other });
  expect(answered.status).toBe(202);
  await harness.drain();
  const list = async (...args: string[]) =>
    (await run("list", ...args)).json<Record<string, unknown>[]>();
  const [stored] = await list("--status", "stored");
  expect(stored).toMatchObject({ client: client.clientId, resource: "employees" });
  expect(stored?.["records"]).toBeGreaterThan(0);
  expect((await list("--status", "unavailable")).map(({ id }) => id)).toEqual([readId]);
  const ofBoth = (await list("--since", "1h")).map(({ id }) => id);
  expect(ofBoth).toEqual([stored?.["id"], readId]);
  const ofClient = await list("--client", client.clientId, "--provider", "sandbox");
  expect(ofClient.map(({ id }) => id)).toContain(stored?.["id"]);
  for (const narrow of [
    ["--provider", "odoo"],
    ["--status", "running"],
    ["--until", "1d"],
    ["--since", "2999-01-01T00:00:00Z"],
  ])
    expect(await list(...narrow)).toEqual([]);
  expect(await run("list", "--since", "yesterday")).toMatchObject(failedWith(2, /--since/));
});
