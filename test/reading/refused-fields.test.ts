import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ProviderBug } from "../../src/providers/errors.ts";
import { version } from "../support/data-endpoints.ts";
import { visitAsDeveloper } from "../support/console-visitors.ts";
import { rollcall } from "../support/command-line.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();
const person = "Ada_Lovelace";

let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
let bearer: string;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry(), env: { CONSOLE: "on" } });
});
beforeEach(async () => {
  owner = await harness.createClient();
  ({ token: bearer } = await harness.connect({ client: owner, provider: "stub" }));
  stub.pages = {};
  stub.onFetch = () => undefined;
});
afterAll(() => harness.close());

async function read(path: string): Promise<void> {
  await harness.http.get(`${version}/xhr/${path}`, { bearer });
  await harness.drain();
}

async function problems(): Promise<unknown> {
  const basic: [string, string] = [owner.client.clientId, owner.secret];
  const { body } = await harness.http.get(`${version}/management/problems`, { basic });
  return (body as { problems: unknown }).problems;
}

describe("an answer that could not be used", () => {
  test("names the field that a record lacks, at the problem, the read and the command", async () => {
    stub.pages = { employees: [[{ remote_id: person, first_name: person }]] };
    await read("employees");
    expect(await problems()).toEqual([
      expect.objectContaining({
        kind: "answers_broken",
        what: "An answer of Stub for employees could not be used. Missing or wrong: last_name.",
        detail: "last_name",
      }),
    ]);
    const [found] = await harness.services.reads.lists.list({ limit: 1 });
    const one = await visitAsDeveloper(harness, owner);
    const page = await one.ask("GET", `/console/reads/${found?.id}`);
    expect(page.html).toContain("<dt>Missing or wrong</dt><dd><code>last_name</code></dd>");
    expect(page.html).not.toContain(person);
    const shown = await rollcall(["reads", "show", found?.id ?? "", "--json"], harness.environment);
    expect(shown.json()).toMatchObject({ outcome: "broken", refused_fields: "last_name" });
  });

  test("names each field of several reads once, and nothing when a read succeeds", async () => {
    stub.pages = { groups: [[{ remote_id: "g1" }]], employees: [[{ remote_id: "" }]] };
    await read("employees");
    ({ token: bearer } = await harness.connect({ client: owner, provider: "stub" }));
    stub.pages = { employees: [[{ remote_id: "p1" }]] };
    await read("employees");
    expect(await problems()).toEqual([
      expect.objectContaining({ times: 2, detail: "last_name, remote_id" }),
    ]);
    stub.pages = { employees: [[{ remote_id: "p1", last_name: "Ada" }]] };
    harness.clock.advance(3_700);
    const findOf = (state: string): Promise<unknown[]> =>
      harness.database.query(`select refused_fields from reads where client_id = $1 and ${state}`, [
        owner.client.clientId,
      ]);
    await harness.http.get(`${version}/xhr/employees`, { bearer });
    expect(await findOf("state = 'pending'")).toEqual([{ refused_fields: null }]);
    await harness.drain();
    expect(await findOf("outcome = 'stored'")).toEqual([{ refused_fields: null }]);
  });

  test("names no field that is none of ours: it could be data of a person", async () => {
    const fields = [person, `employments.${person}`, "employments.pay_rate", person, "gender"];
    stub.onFetch = () => {
      throw new ProviderBug("odd", { fields });
    };
    await read("employees");
    expect(await problems()).toEqual([
      expect.objectContaining({ detail: "employments.pay_rate, gender" }),
    ]);
    const stored = await harness.database.query("select refused_fields from reads");
    expect(JSON.stringify(stored)).not.toContain(person);
    expect(harness.logLines.join("")).not.toContain(person);
  });

  test("is told without a field where none is known", async () => {
    stub.onFetch = () => {
      throw new ProviderBug("odd");
    };
    await read("groups");
    expect(await problems()).toEqual([
      expect.objectContaining({
        what: "An answer of Stub for groups could not be used.",
        detail: null,
      }),
    ]);
  });
});
