import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageSize } from "../../src/console/routes/show.ts";
import { visitAsOperator } from "../support/console-visitors.ts";
import type { ConnectVisitor } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
let one: ConnectVisitor;
beforeAll(async () => {
  harness = await createHarness({ env: { CONSOLE: "on" } });
  one = await visitAsOperator(harness);
});
afterAll(() => harness.close());

const open = async (path: string): Promise<string> => (await one.ask("GET", path)).html;
/** What a list to choose from has chosen. */
const chosenOf = (page: string): string[] =>
  [...page.matchAll(/<option value="([^"]*)" selected>/g)].map(([, value = ""]) => value);

describe("a service that is new", () => {
  test("says how to begin, also beside the shared token of the sandbox", async () => {
    const welcome = "Nothing of yours is connected yet";
    const before = await open("/console");
    expect(before).toContain("<strong>1</strong> <span>Connections");
    expect(before).toContain(welcome);
    const { tokenId } = await harness.connect();
    expect(await open("/console")).not.toContain(welcome);
    await harness.services.tokens.disconnectById(tokenId);
  });

  test("is found with a slash behind its address, too", async () => {
    const { status, headers } = await one.ask("GET", "/console/");
    expect([status, headers["location"]]).toEqual([303, "/console"]);
  });
});

describe("with more clients than a list offers", () => {
  let oldest: string;
  beforeAll(async () => {
    const { client } = await harness.createClient();
    oldest = client.clientId;
    for (let made = 0; made < 100; made += 1) {
      harness.clock.advance(1);
      await harness.createClient();
    }
  });

  test.each(["connections", "webhooks", "try"])(
    "%s keeps the one that was chosen",
    async (page) => {
      expect(await open(`/console/${page}`)).not.toContain(oldest);
      expect(chosenOf(await open(`/console/${page}?client=${oldest}`))).toContain(oldest);
    },
  );

  test("a reference without its client is not looked for, and the page says why beside what was typed", async () => {
    const { status, html } = await one.ask("GET", "/console/connections?q=tenant-1");
    expect(status).toBe(400);
    expect(html).toContain("Choose the client too");
    expect(html).toContain('value="tenant-1"');
    expect(html).not.toContain("No connection is like that.");
  });
});

describe("more problems than are listed", () => {
  test("are counted as far as they are, and each says which connection it is of", async () => {
    const owner = await harness.createClient();
    for (let made = 0; made < 101; made += 1) await harness.connect({ client: owner });
    await harness.database.query(
      "update connections set auth_failure = 'reauthentication_required' where client_id = $1",
      [owner.client.clientId],
    );
    const page = await open("/console/problems");
    // One is that no worker runs.
    expect(/<p class="lead">(\S+) /.exec(page)?.[1]).toBe("101+");
    expect(page.match(/<li><code>[0-9a-f-]{36}<\/code><\/li>/g)).toHaveLength(100);
    expect(/>(\S+) more</.exec(await open("/console"))?.[1]).toBe("96+");
    await harness.database.query("update connections set auth_failure = null");
  });
});

describe("what was counted", () => {
  test("once is said in words", async () => {
    const { client, token, tokenId } = await harness.connect({ user: "user_expired" });
    await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
    await harness.drain();
    const page = await open(`/console/connections/${tokenId}`);
    expect(page).toMatch(/Sandbox · employees<\/a>/);
    expect(page).toContain("<li>nothing is stored</li>");
    const [read = ""] = /\/console\/reads\/[0-9a-f-]{36}/.exec(page) ?? [];
    expect(await open(read)).toMatch(/<\/time>, once</);
    expect(await open(`/console/clients/${client.clientId}`)).toContain("1, which signs webhooks");
  });
});

describe("connections of which somebody else changed one", () => {
  test("are listed behind it, too", async () => {
    const owner = await harness.createClient();
    const tokenIds: string[] = [];
    for (let made = 0; made <= pageSize; made += 1) {
      harness.clock.advance(1);
      tokenIds.unshift((await harness.connect({ client: owner })).tokenId);
    }
    await harness.database.query("update connections set provider = 'odoo' where token_id = $1", [
      tokenIds[1],
    ]);
    const first = await open(`/console/connections?client=${owner.client.clientId}`);
    expect(first).not.toContain(tokenIds[1]);
    const [, next = ""] = /href="([^"]*before=[^"]*)"/.exec(first) ?? [];
    expect(await open(next.replaceAll("&amp;", "&"))).toContain(tokenIds.at(-1));
    await harness.services.clients.ends.begin(owner.client.clientId);
  });
});

test("a connection is found by a reference that looks like the id of a token", async () => {
  const reference = randomUUID();
  const owner = await harness.createClient();
  const { tokenId } = await harness.connect({
    client: owner,
    label: { reference, metadata: null },
  });
  expect(
    await open(`/console/connections?client=${owner.client.clientId}&q=${reference}`),
  ).toContain(tokenId);
});

test("reads that failed in one moment between two milliseconds are all listed, a page after the other", async () => {
  const { token, client, tokenId } = await harness.connect();
  await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
  await harness.drain();
  const made = 2 * pageSize + 1;
  await harness.database.query(
    `insert into reads select made.* from reads r, generate_series(1, $2) number,
       jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'parameters', format('{"made": %s}', number)::jsonb,
         'outcome', 'broken', 'settled_at', timestamptz '2026-01-01 00:00:00.123456+00')) made
     where r.client_id = $1`,
    [client.clientId, made],
  );
  const listed: string[] = [];
  let path: string | undefined = "/console/reads?state=failed";
  while (path !== undefined) {
    const page: string = await open(path);
    listed.push(
      ...[...page.matchAll(/href="\/console\/reads\/([0-9a-f-]{36})"/g)].map(([, id = ""]) => id),
    );
    path = /href="([^"]*before=[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(new Set(listed).size).toBe(made);
  expect(listed).toHaveLength(made);
  expect(await open("/console/reads")).not.toContain("Only the first");
  await harness.database.query(
    "update reads set state = 'pending', outcome = null, settled_at = null where client_id = $1 and outcome = 'broken'",
    [client.clientId],
  );
  expect(await open("/console/reads")).toContain(`Only the first ${pageSize} are listed`);
  await harness.services.tokens.disconnectById(tokenId);
});
