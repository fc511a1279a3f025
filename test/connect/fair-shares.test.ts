import { z } from "zod";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createSignInTable } from "../../src/connect/flow-store.ts";
import { en } from "../../src/connect/texts/en.ts";
import { callerNetwork } from "../../src/platform/http/index.ts";
import { defineProvider } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import {
  ConnectVisitor,
  hiddenFields,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { forgetSignIns } from "../support/forget-sign-ins.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { deleteQueueEntries } from "../support/queue-entries.ts";
import { Gate } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";

/** The addresses that were asked, one for each sign-in. Those that begin with `hangs` answer when the gate opens. */
const asked: string[] = [];
let gate = new Gate();
let isDeaf = false;
const addressed = defineProvider({
  apiVersion: 1,
  name: "addressed",
  title: "Addressed",
  modes: {
    xhr: {
      form: z.object({
        url: formField({ title: "Address", isAddress: true }),
        password: formField({ title: "Password", isSecret: true }),
      }),
      login: async ({ signal }, { url = "" }) => {
        asked.push(url);
        const aborted = new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true }),
        );
        if (url.startsWith("hangs"))
          await Promise.race(isDeaf ? [gate.pass()] : [gate.pass(), aborted]);
        signal.throwIfAborted();
        return { session: {} };
      },
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Ann", email: "ann@example.com", phone_number: null }),
      resources: {},
    },
  },
});

let harness: Harness;
let client: { clientId: string };
beforeAll(async () => {
  harness = await createHarness({
    registry: new ProviderRegistry([sandbox, addressed]),
    env: { TRUST_PROXY: "127.0.0.0/8" },
  });
  ({ client } = await harness.createClient());
});
afterAll(() => harness.close());
beforeEach(async () => {
  await forgetSignIns(harness);
  asked.length = 0;
  gate = new Gate();
  isDeaf = false;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Sends the form from this address, and returns a look at the page. */
async function type(url: string, { from = "198.51.100.1" } = {}): Promise<() => Promise<Seen>> {
  const visitor = new ConnectVisitor(harness.baseUrl, { "x-forwarded-for": from });
  const form = await visitor.begin(linkPath(client, { provider: "addressed" }));
  const { status } = await visitor.ask("POST", `${form.path}/sign-in`, {
    ...hiddenFields(form, "sign-in"),
    url,
    password: "secret",
  });
  expect(status).toBe(303);
  return () => visitor.ask("GET", form.path);
}

async function claimAll(): Promise<string[]> {
  const table = createSignInTable(harness.services.pool);
  const ids: string[] = [];
  for (let row = await table.claim(); row; row = await table.claim()) ids.push(row.id);
  return ids;
}

const networksOf = async (ids: readonly string[]): Promise<number[]> => {
  const rows = await harness.database.query(
    "select count(*)::integer from connect_flows where id = any($1) group by network_key order by count(*)",
    [ids],
  );
  return rows.map(({ count }) => Number(count));
};

describe("sign-ins at systems that never answer", () => {
  test("take eight places of their network, and another network's is tried at once", async () => {
    for (let index = 0; index < 30; index += 1)
      await type(`hangs-${index}.example.com`, { from: `198.51.100.${index}` });
    const { drained, stop } = workSignIns(harness);
    await untilTrue("eight hang", () => asked.length === 8);
    const look = await type("answers.example.com", { from: "203.0.113.1" });
    await untilTrue("the other one is tried", () => asked.length === 9);
    expect(asked.at(-1)).toBe("answers.example.com");
    await untilTrue("it has its code", async () => (await look()).left?.includes("code=") ?? false);
    expect(asked).toHaveLength(9);
    gate.open();
    await drained();
    expect(asked).toHaveLength(31);
    await stop();
  });

  test("of a network are eight, however many they are", async () => {
    for (let index = 0; index < 100; index += 1)
      await type(`hangs-${index}.example.com`, { from: `198.51.100.${index}` });
    await type("other.example.com", { from: "203.0.113.1" });
    expect(await networksOf(await claimAll())).toEqual([1, 8]);
  });

  test("of one address are four, from however many networks and however it is typed", async () => {
    const spellings = ["one.example.com", "https://ONE.example.com/web", " one.example.com:8443 "];
    for (let index = 0; index < 30; index += 1)
      await type(spellings[index % spellings.length]!, { from: `10.0.${index}.1` });
    await type("other.example.com", { from: "10.0.0.1" });
    expect(await claimAll()).toHaveLength(5);
  });

  test("are tried all the same when half of the queue entries are lost", async () => {
    for (let index = 0; index < 20; index += 1)
      await type(`answers-${index}.example.com`, { from: `10.0.${index}.1` });
    await deleteQueueEntries(harness, { half: true });
    const { drained, stop } = workSignIns(harness);
    await drained();
    expect(asked).toHaveLength(20);
    await stop();
  });

  test("end after 90 seconds, also when the adapter ignores its signal", async () => {
    isDeaf = true;
    const setTimer = globalThis.setTimeout;
    const { drained, stop } = workSignIns(harness);
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms: number) =>
      setTimer(work, ms === 18_000 ? 10 : ms)) as typeof setTimeout);
    const look = await type("hangs.example.com");
    await untilTrue("it is tried", () => asked.length === 1);
    await drained();
    vi.restoreAllMocks();
    expect(textOf(await look())).toContain("can’t be reached or is too busy");
    gate.open();
    await stop();
  });
});

const phaseOf = async (): Promise<unknown> =>
  (await harness.database.query("select phase, refusal from connect_flows"))[0];

/** A worker that claims what was typed and is killed. */
async function cutOff(): Promise<() => Promise<Seen>> {
  const look = await type("hangs.example.com");
  await claimAll();
  await harness.database.query("update connect_flows set sealed_submission = null");
  return look;
}

describe("a sign-in that was cut off", () => {
  test("leads back to the form when its lease has ended, and is not tried again", async () => {
    await cutOff();
    const { drained, stop } = workSignIns(harness);
    harness.clock.advance(9);
    await drained();
    expect(await phaseOf()).toMatchObject({ phase: "running" });
    harness.clock.advance(1);
    await drained();
    expect(await phaseOf()).toEqual({ phase: "form", refusal: { kind: "interrupted" } });
    expect(asked).toEqual([]);
    await stop();
  });

  test("leads back to the form when its page is shown, also without a worker", async () => {
    const look = await cutOff();
    harness.clock.advance(9);
    expect(await phaseOf()).toMatchObject({ phase: "running" });
    harness.clock.advance(1);
    const page = await look();
    expect(textOf(page)).toContain(en.problems.interrupted.split("{")[0]);
    expect(await phaseOf()).toEqual({ phase: "form", refusal: { kind: "interrupted" } });
  });

  test("is tried by another worker when the first one had not claimed what was typed", async () => {
    await type("answers.example.com");
    await claimAll();
    harness.clock.advance(10);
    const { drained, stop } = workSignIns(harness);
    await drained();
    expect(asked).toEqual(["answers.example.com"]);
    await stop();
  });

  test("ends with its worker, and its page asks to send the form again", async () => {
    const look = await type("hangs.example.com");
    const first = workSignIns(harness);
    await untilTrue("it is tried", () => asked.length === 1);
    await first.stop();
    const second = workSignIns(harness);
    await second.drained();
    expect(textOf(await look())).toContain(en.problems.interrupted.split("{")[0]);
    expect(asked).toHaveLength(1);
    await second.stop();
  });
});

describe("the network of a caller", () => {
  test.each([
    ["203.0.113.7", "203.0.113"],
    ["::ffff:203.0.113.200", "203.0.113"],
    ["2001:db8:1:2ff::1", "2001:db8:1:200::"],
    ["2001:db8:1:203:ffff::9", "2001:db8:1:200::"],
    ["2001:db8:1:300::1", "2001:db8:1:300::"],
    ["", ""],
  ])("%s is of %s", (ip, network) => {
    expect(callerNetwork({ ip })).toBe(network);
  });
});

test("what is stored of networks and addresses names nobody", async () => {
  await type("marker-of-the-address.example.com", { from: "203.0.113.77" });
  const rows = JSON.stringify(await harness.database.query("select * from connect_flows"));
  for (const what of ["marker-of-the-address", "203.0.113"]) expect(rows).not.toContain(what);
});
