import { Client as DatabaseClient } from "pg";
import { describe, expect, test } from "vitest";
import { settleRestored } from "../../src/start/settle-restored.ts";
import { eventsUrl, stageEvents, type EventPage, type Owner } from "../support/event-stage.ts";

const { harness, ask, list } = await stageEvents();

/** A client with so many connections, each of which is one event. */
async function ownerWith(count: number): Promise<Owner & { tokenIds: string[] }> {
  const owner = await harness.createClient();
  const tokenIds: string[] = [];
  for (let made = 0; made < count; made += 1) {
    harness.clock.advance(1);
    tokenIds.push((await harness.connect({ client: owner })).tokenId);
  }
  return { ...owner, tokenIds };
}

const tokensOf = ({ events }: EventPage): unknown[] => events.map(({ data }) => data["token"]);

describe("GET events 200", () => {
  test("pages oldest first, until there are no more, and the last cursor goes on from there", async () => {
    const owner = await ownerWith(3);
    const first = await list(owner, { limit: "2" });
    expect([tokensOf(first), first.more]).toEqual([owner.tokenIds.slice(0, 2), true]);
    const second = await list(owner, { limit: "2", after: first.after });
    expect([tokensOf(second), second.more]).toEqual([owner.tokenIds.slice(2), false]);
    const none = await list(owner, { after: second.after });
    expect(none).toEqual({ events: [], after: second.after, more: false });
    await harness.services.tokens.disconnectById(owner.tokenIds[0]!);
    expect((await list(owner, { after: none.after })).events).toEqual([
      expect.objectContaining({ type: "connection.ended" }),
    ]);
  });

  test("shows a client its own alone, also when somebody has written it another one's", async () => {
    const [victim, thief] = [await ownerWith(1), await ownerWith(0)];
    await list(victim);
    expect((await list(thief)).events).toEqual([]);
    await harness.database.query("update events set client_id = $2 where client_id = $1", [
      victim.client.clientId,
      thief.client.clientId,
    ]);
    expect((await list(thief)).events).toEqual([]);
  });

  test("is kept by no cache", async () => {
    const reply = await ask(await ownerWith(0));
    expect(reply.headers["cache-control"]).toBe("private, no-store");
    expect(reply.headers["preference-applied"]).toBeUndefined();
  });

  test("forgets events after 30 days", async () => {
    const owner = await ownerWith(1);
    const { after } = await list(owner);
    harness.clock.advance(29 * 86_400);
    await harness.services.events.removeOld();
    expect((await list(owner)).events).toHaveLength(1);
    harness.clock.advance(86_401);
    await harness.services.events.removeOld();
    expect(await list(owner, { after: "0" })).toEqual({ events: [], after: "0", more: false });
    const again = await harness.connect({ client: owner });
    expect(tokensOf(await list(owner, { after }))).toEqual([again.tokenId]);
  });
});

describe("a transaction that takes long", () => {
  test("is not jumped: who has read what others committed later gets its event next", async () => {
    const owner = await ownerWith(2);
    const [slow, quick] = owner.tokenIds;
    const { after } = await list(owner);
    const holder = new DatabaseClient({ connectionString: harness.database.url });
    await holder.connect();
    try {
      await holder.query("begin");
      await holder.query(
        "select record_event_of(id, 'connection.healed', '{}') from connections where token_id = $1",
        [slow],
      );
      await harness.database.query(
        "select record_event_of(id, 'connection.healed', '{}') from connections where token_id = $1",
        [quick],
      );
      const seen = await list(owner, { after });
      expect(tokensOf(seen)).toEqual([quick]);
      await holder.query("commit");
      expect(tokensOf(await list(owner, { after: seen.after }))).toEqual([slow]);
    } finally {
      await holder.end();
    }
  });

  test("and writers at once give each event one position, and none is left out", async () => {
    const owner = await ownerWith(1);
    const { after } = await list(owner);
    await harness.database.query(
      `select record_event_of(c.id, 'connection.healed', jsonb_build_object('n', n))
       from connections c, generate_series(1, 1200) n where token_id = $1`,
      [owner.tokenIds[0]],
    );
    await Promise.all(Array.from({ length: 4 }, () => harness.services.events.place()));
    const rows = await harness.database.query(
      "select data->>'n' as n, position from events where client_id = $1 and position > $2 order by position",
      [owner.client.clientId, after],
    );
    expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: 1_200 }, (_, n) => n + 1));
    expect(new Set(rows.map(({ position }) => position)).size).toBe(1_200);
  });
});

describe("a database that was restored", () => {
  test("gives whoever has read on since the backup what happens from now on", async () => {
    const owner = await ownerWith(2);
    await list(owner);
    const backup = await harness.database.query("select position from event_head");
    await harness.database.query(
      `select record_event_of(c.id, 'connection.healed', '{}') from connections c, generate_series(1, 5) n
       where token_id = $1`,
      [owner.tokenIds[0]],
    );
    const { after } = await list(owner);
    await harness.database.query("delete from events where type = 'connection.healed'");
    await harness.database.query("update event_head set position = $1", [backup[0]!["position"]]);
    for (const tokenId of owner.tokenIds) {
      await settleRestored(harness.services, [tokenId], []);
      expect((await list(owner, { after })).events.at(-1)).toMatchObject({
        type: "connection.ended",
        data: { token: tokenId },
      });
    }
    const { events } = await list(owner, { after });
    expect(events).toHaveLength(2);
  });
});

describe("Prefer: wait=N", () => {
  test("an empty page waits for the next event", async () => {
    const owner = await ownerWith(1);
    const { after } = await list(owner);
    const waiting = ask(owner, { after }, { prefer: "wait=30" });
    // The clock of the service stands still, so the wait ends by the event alone.
    await harness.services.tokens.disconnectById(owner.tokenIds[0]!);
    await harness.services.events.place();
    const reply = await waiting;
    expect((reply.body as EventPage).events).toEqual([
      expect.objectContaining({ type: "connection.ended" }),
    ]);
    expect(reply.headers["preference-applied"]).toBe("wait=30");
  });

  test("a page with events comes at once, and so does one after no time", async () => {
    const owner = await ownerWith(1);
    const { after } = await list(owner);
    expect((await ask(owner, {}, { prefer: "wait=30" })).status).toBe(200);
    expect((await ask(owner, { after }, { prefer: "wait=0" })).body).toMatchObject({ events: [] });
  });
});

test.each([
  ["after", "x"],
  ["after", "-1"],
  ["after", "1e3"],
  ["after", "9".repeat(16)],
  ["limit", "0"],
  ["limit", "1001"],
  ["limit", "ten"],
])("GET events 400: %s %s is refused", async (name, value) => {
  const reply = await ask(await ownerWith(0), { [name]: value });
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ validation_error: expect.stringMatching(`^${name}: `) });
});

test("GET events 401 without the client's credentials", async () => {
  expect((await harness.http.get(eventsUrl)).status).toBe(401);
});
