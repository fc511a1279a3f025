import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makePollsDue } from "../../src/webhooks/poll-store.ts";
import { blocksOf, statementsSent } from "../support/blocks.ts";
import { people, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();
const { database, services } = harness;
const many = 1_200;
const most = 500;

let company: Company;
const ofClient = (): string => company.client.clientId;

/** Fails each statement that changes more polls than one may. */
beforeAll(async () => {
  await database.query(
    `create function refuse_many() returns trigger language plpgsql as $$
     begin
       if (select count(*) from touched) > ${most} then raise exception 'too many at once'; end if;
       return null;
     end $$`,
  );
  await database.query(
    `create trigger refuse_many after update on polls referencing new table as touched
     for each statement execute function refuse_many()`,
  );
});
afterAll(() => database.query("drop function refuse_many cascade"));

beforeEach(async () => {
  company = await harness.connectCompany(people(2));
});
afterEach(async () => {
  for (const table of ["deliveries", "polls"])
    await database.query(`delete from ${table} where client_id = $1`, [ofClient()]);
});

const id = "lpad(to_hex(n), 32, '0')::uuid";

/** Rows of connections that are not there. */
async function fill(text: string): Promise<void> {
  await database.query(
    `set session_replication_role = replica; ${text}; set session_replication_role = origin`,
  );
}

describe("of a client with many connections no statement changes all polls", () => {
  beforeEach(() =>
    fill(
      `insert into polls (connection_id, client_id, token_id, provider, slot, covers_employees)
       select ${id}, '${ofClient()}', ${id}, 'stub', service_now(), n % 2 = 0 from generate_series(1, ${many}) n`,
    ),
  );

  test("when its address is set, and when it is removed", async () => {
    await harness.listen(ofClient(), receiver.url);
    await services.webhooks.schedulePolls();
    const polled = "select from polls where client_id = $1 and next_poll_at is not null";
    expect(await database.query(polled, [ofClient()])).toHaveLength(many / 2 + 1);
    const client = await services.clients.find(ofClient());
    await services.clients.update(client!, { webhookUri: null });
    await services.webhooks.schedulePolls();
    expect(await database.query(polled, [ofClient()])).toEqual([]);
  });

  test("and what is polled for it is looked up a few times alone", async () => {
    await harness.listen(ofClient(), receiver.url);
    await database.query("create sequence look_ups");
    await database.query("alter function polled_for(text) rename to polled_for_client");
    await database.query(
      `create function polled_for(client text) returns text[] language plpgsql as $$ begin
         perform nextval('look_ups');
         return polled_for_client(client);
       end $$`,
    );
    expect(await makePollsDue(services.pool, { clientId: ofClient() })).toHaveLength(many / 2 + 1);
    const [row] = await database.query("select last_value::integer as times from look_ups");
    await database.query("drop function polled_for(text)");
    await database.query("alter function polled_for_client(text) rename to polled_for");
    await database.query("drop sequence look_ups");
    expect(row?.["times"]).toBeLessThan(10);
  });
});

describe("of a client with many deliveries", () => {
  const deliveries = 20_000;
  const mostBlocks = 100;

  test("why its receiver fails is found, however many wait that were never sent", async () => {
    await harness.listen(ofClient(), receiver.url);
    await database.query(
      "update webhook_endpoints set failing_since = service_now() where client_id = $1",
      [ofClient()],
    );
    await fill(
      `insert into deliveries (id, client_id, connection_id, token_id, status, added, removed, updated, created_at,
         last_error, last_status)
       select ${id}, '${ofClient()}', ${id}, ${id}, 'pending', 1, 0, 0, service_now(), case n when 1 then 'status' end, 503
       from generate_series(1, ${deliveries}) n`,
    );
    await database.query("vacuum analyze deliveries");
    const { lists } = services.webhooks;
    const sent = await statementsSent(services.pool, async () =>
      expect(await lists.failing(undefined)).toMatchObject([
        { clientId: ofClient(), lastError: "status", lastStatus: 503 },
      ]),
    );
    for (const statement of sent)
      expect(await blocksOf(services.pool, statement)).toBeLessThan(mostBlocks);
  });
});
