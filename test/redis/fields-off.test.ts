import { afterAll, expect, test } from "vitest";
import { startRedis } from "../support/redis-server.ts";
import { watchRedis } from "../support/watch-redis.ts";
import { people } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

// One of its own, so that what other tests send is not recorded.
const redis = await startRedis();
afterAll(() => redis.stop());
const traffic: string[] = [];
const watch = await watchRedis(redis.url, (args) => traffic.push(args.join(" ")));
afterAll(() => watch.stop());
const { harness, receiver } = await stageWebhooks({ env: { REDIS_URL: redis.url } });

const iban = "DE00CANARY0000000001";
const withAccounts = (count: number) =>
  people(count).map((each) => ({ ...each, bank_account: { iban } }));

test("what a client has switched off is in no byte that goes to Redis", async () => {
  const company = await harness.connectCompany(withAccounts(2));
  const client = await harness.services.clients.find(company.client.clientId);
  await harness.services.clients.update(client!, { fieldsOff: ["bank_account"] });
  await harness.listen(company.client.clientId, receiver.url);
  await harness.tick();
  await harness.work();
  company.people = withAccounts(3);
  await harness.pollNextHour();
  const { token, tokenId } = company;
  const reply = await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
  expect(reply.body).toHaveLength(3);
  await expect.poll(() => traffic.join("\n")).toContain(tokenId);
  expect(traffic.filter((call) => call.includes(iban))).toEqual([]);
  expect(receiver.last.bytes.toString()).not.toContain(iban);
});
