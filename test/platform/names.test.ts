import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { NameResolver } from "../../src/platform/outbound/name-resolver.ts";
import { NameNotResolved } from "../../src/platform/outbound/query-dns.ts";
import {
  AddressPolicy,
  createGuardedAgent,
  createProviderHttp,
  HttpTimeout,
  HttpUnreachable,
  TargetRefused,
} from "../../src/platform/outbound/index.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { FakeDns, type FakeName } from "../support/fake-dns.ts";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((close) => close()));
});

async function startDns(find: Parameters<typeof FakeDns.start>[0]): Promise<FakeDns> {
  const server = await FakeDns.start(find);
  opened.push(() => server.stop());
  return server;
}

/** Names below `silent.` are never answered; every other one has the address 192.0.2.7. */
function startPartlySilentDns(): Promise<FakeDns> {
  return startDns((name) => (name.includes("silent") ? "silent" : { A: ["192.0.2.7"] }));
}

function resolverFor(server: FakeDns, hostsPath = "/dev/null"): NameResolver {
  return new NameResolver({ servers: [server.address], hostsPath });
}

async function writeHosts(
  text: string,
): Promise<{ path: string; write(text: string): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "hosts-"));
  opened.push(() => rm(folder, { recursive: true }));
  const path = join(folder, "hosts");
  const write = (next: string): Promise<void> => writeFile(path, next);
  await write(text);
  return { path, write };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(NameNotResolved);
  return (error as NameNotResolved).code;
}

/** Begins look-ups, which are given up when the test ends. */
function begin(resolver: NameResolver, names: readonly string[]) {
  const abort = new AbortController();
  opened.push(() => abort.abort());
  const lookups = names.map((name) => resolver.resolve(name, { signal: abort.signal }));
  for (const lookup of lookups) lookup.catch(() => undefined);
  return { lookups, abort: () => abort.abort() };
}

const namesOf = (domain: string, count: number) =>
  Array.from({ length: count }, (_, number) => `n${number}.${domain}`);

describe("a name", () => {
  it("has the addresses of both families, asked for as it was typed", async () => {
    const server = await startDns(() => ({ A: ["192.0.2.1", "192.0.2.2"], AAAA: ["2001:db8::1"] }));
    const addresses = await resolverFor(server).resolve("Both.Example");
    expect([addresses.slice(0, 2).toSorted(), addresses.slice(2)]).toEqual([
      ["192.0.2.1", "192.0.2.2"],
      ["2001:db8::1"],
    ]);
    expect(server.queries.toSorted()).toEqual(["both.example A", "both.example AAAA"]);
  });

  it.each<[string, FakeName, string]>([
    ["the other one is absent", { A: ["192.0.2.1"], AAAA: "nxdomain" }, "192.0.2.1"],
    ["the other one is empty", { AAAA: ["2001:db8::1"] }, "2001:db8::1"],
    ["the other one fails", { A: "servfail", AAAA: ["2001:db8::1"] }, "2001:db8::1"],
    ["the other one is never answered", { A: ["192.0.2.1"], AAAA: "silent" }, "192.0.2.1"],
  ])("needs one family when %s", async (_case, known, address) => {
    const server = await startDns(() => known);
    const start = performance.now();
    expect(await resolverFor(server).resolve("one.example")).toEqual([address]);
    expect(performance.now() - start).toBeLessThan(4_000);
  });

  it.each<[string, FakeName, string]>([
    ["absent", { A: "nxdomain", AAAA: "nxdomain" }, "ENOTFOUND"],
    ["without an address", {}, "ENOTFOUND"],
    ["half absent, half failing", { A: "nxdomain", AAAA: "servfail" }, "ESERVFAIL"],
    ["failing", { A: "servfail", AAAA: "servfail" }, "ESERVFAIL"],
    ["refused", { A: "refused", AAAA: "refused" }, "EREFUSED"],
    ["never answered", { A: "silent", AAAA: "silent" }, "ETIMEOUT"],
  ])("is not resolved when it is %s", async (_case, known, code) => {
    const server = await startDns(() => known);
    expect(await codeOf(resolverFor(server).resolve("none.example"))).toBe(code);
  });

  it("comes from the hosts file when it is there", async () => {
    const server = await startDns(() => ({ A: ["192.0.2.9"] }));
    const hosts = await writeHosts(
      "# names of this machine\n10.0.0.1 Files.example files # 10.9.9.9 other\n\n" +
        "\tfd00::1\tfiles.example\nnonsense files.example\n10.0.0.2\r\n10.0.0.3 later.example\r\n",
    );
    const resolver = resolverFor(server, hosts.path);
    expect(await resolver.resolve("files.Example.")).toEqual(["10.0.0.1", "fd00::1"]);
    expect(await resolver.resolve("files")).toEqual(["10.0.0.1"]);
    expect(await resolver.resolve("later.example")).toEqual(["10.0.0.3"]);
    expect(server.queries).toEqual([]);
    expect(await resolver.resolve("other")).toEqual(["192.0.2.9"]);
  });

  it("follows a change of the hosts file within seconds", async () => {
    const server = await startDns(() => ({}));
    const hosts = await writeHosts("10.0.0.1 files.example");
    const resolver = resolverFor(server, hosts.path);
    const nowMs = performance.now();
    const now = vi.spyOn(performance, "now").mockReturnValue(nowMs);
    expect(await resolver.resolve("files.example")).toEqual(["10.0.0.1"]);
    await hosts.write("10.0.0.2 files.example");
    expect(await resolver.resolve("files.example")).toEqual(["10.0.0.1"]);
    now.mockReturnValue(nowMs + 6_000);
    expect(await resolver.resolve("files.example")).toEqual(["10.0.0.2"]);
  });

  it("is this machine when it is localhost, with the addresses of the hosts file", async () => {
    const server = await startDns(() => ({ A: ["192.0.2.9"] }));
    const without = resolverFor(server, "/there/is/no/such/file");
    expect(await without.resolve("localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(await without.resolve("a.LOCALHOST.")).toEqual(["127.0.0.1", "::1"]);
    const hosts = await writeHosts("127.0.0.1 localhost\n");
    expect(await resolverFor(server, hosts.path).resolve("localhost")).toEqual(["127.0.0.1"]);
    expect(server.queries).toEqual([]);
  });
});

describe("names that never resolve", () => {
  it("do not delay a name of another domain", async () => {
    const server = await startPartlySilentDns();
    const resolver = resolverFor(server);
    begin(resolver, namesOf("silent.example", 100));
    await expect.poll(() => server.names.length).toBe(8);
    const start = performance.now();
    expect(await resolver.resolve("other.example")).toEqual(["192.0.2.7"]);
    expect(performance.now() - start).toBeLessThan(1_000);
    await sleep(200);
    expect(server.names.filter((name) => name.includes("silent")).length).toBe(8);
  });

  it("are asked for 64 at once, and then each domain gets a place in turn", async () => {
    const server = await startPartlySilentDns();
    const resolver = resolverFor(server);
    const full = Array.from({ length: 10 }, (_, domain) =>
      begin(resolver, namesOf(`silent${domain}.example`, 20)),
    );
    await expect.poll(() => server.names.length).toBe(64);
    const late = resolver.resolve("late.example");
    await sleep(200);
    expect(server.names.length).toBe(64);
    full[0]?.abort();
    expect(await late).toEqual(["192.0.2.7"]);
    expect(server.names.length).toBeLessThanOrEqual(64 + 9);
  });

  it("are refused when too many of their domain wait", async () => {
    const server = await startPartlySilentDns();
    const resolver = resolverFor(server);
    begin(resolver, namesOf("silent.example", 8 + 128));
    expect(await codeOf(resolver.resolve("more.silent.example"))).toBe("TOO_MANY_LOOKUPS");
    expect(await resolver.resolve("other.example")).toEqual(["192.0.2.7"]);
  });

  it("are refused when too many of all domains wait", async () => {
    const server = await startPartlySilentDns();
    const resolver = resolverFor(server);
    for (let domain = 0; domain < 34; domain += 1)
      begin(resolver, namesOf(`silent${domain}.example`, 32));
    expect(await codeOf(resolver.resolve("other.example"))).toBe("TOO_MANY_LOOKUPS");
  });
});

describe("a look-up", () => {
  it("is shared by everybody who wants the name at the time", async () => {
    const server = await startPartlySilentDns();
    const resolver = resolverFor(server);
    const wanted = Array.from({ length: 50 }, () => resolver.resolve("one.example"));
    expect((await Promise.all(wanted)).flat()).toEqual(wanted.map(() => "192.0.2.7"));
    expect(server.queries.length).toBe(2);
    await resolver.resolve("one.example");
    expect(server.queries.length).toBe(4);
  });

  it("goes on for the others when one gives up", async () => {
    const server = await startDns(() => ({ A: ["192.0.2.7"] }));
    const resolver = resolverFor(server);
    const abort = new AbortController();
    const reason = new Error("given up");
    const given = resolver.resolve("one.example", { signal: abort.signal });
    const other = resolver.resolve("one.example");
    abort.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect(await other).toEqual(["192.0.2.7"]);
  });

  it("leaves its place when nobody wants it any more", async () => {
    const server = await startPartlySilentDns();
    const resolver = resolverFor(server);
    const { abort, lookups } = begin(resolver, namesOf("silent.example", 30));
    await expect.poll(() => server.names.length).toBe(8);
    abort();
    const ended = await Promise.allSettled(lookups);
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    begin(resolver, namesOf("again.silent.example", 8));
    await expect.poll(() => server.names.length).toBe(16);
  });

  it("begins anew for whoever comes after it was given up", async () => {
    const known: { one: FakeName | "silent" } = { one: "silent" };
    const server = await startDns(() => known.one);
    const resolver = resolverFor(server);
    const { abort, lookups } = begin(resolver, ["one.example"]);
    await expect.poll(() => server.queries.length).toBe(2);
    known.one = { A: ["192.0.2.7"] };
    abort();
    await Promise.allSettled(lookups);
    const start = performance.now();
    expect(await resolver.resolve("one.example")).toEqual(["192.0.2.7"]);
    expect(performance.now() - start).toBeLessThan(1_500);
  });
});

async function clientFor(server: FakeDns, origin: string, allow: string[], signal?: AbortSignal) {
  const names = resolverFor(server);
  const resolve = vi.fn<NameResolver["resolve"]>((...wanted) => names.resolve(...wanted));
  const agent = createGuardedAgent({ policy: new AddressPolicy(allow), resolve });
  opened.push(() => agent.destroy());
  const clock = { ...systemClock, sleep: async () => undefined };
  const options = { agent, clock, random: systemRandom, origins: [origin], signal };
  return { http: createProviderHttp(options), agent, resolve };
}

describe("a request to a name", () => {
  it("goes to the address that DNS gives, when the policy allows it", async () => {
    const web = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(web, "listening");
    opened.push(() => web.close());
    const url = `http://web.example:${(web.address() as AddressInfo).port}`;
    const server = await startDns(() => ({ A: ["127.0.0.1"] }));
    const { http } = await clientFor(server, url, ["127.0.0.0/8"]);
    expect((await http.request({ url })).text()).toBe("hello");
    const { http: strict } = await clientFor(server, url, []);
    await expect(strict.request({ url })).rejects.toThrow(TargetRefused);
  });

  it("is refused when one address of any family is", async () => {
    const server = await startDns(() => ({ A: ["93.184.216.34"], AAAA: ["fd00::1"] }));
    const { http } = await clientFor(server, "https://mixed.example", []);
    await expect(http.request({ url: "https://mixed.example" })).rejects.toThrow(TargetRefused);
  });

  it("tells the code of the DNS", async () => {
    const server = await startDns(() => "nxdomain");
    const { http } = await clientFor(server, "https://none.example", []);
    const request = http.request({ url: "https://none.example" });
    await expect(request).rejects.toMatchObject({ name: "HttpUnreachable", code: "ENOTFOUND" });
    await expect(request).rejects.toThrow(HttpUnreachable);
  });

  it.each(["its time is over", "its signal fires"])("ends its look-up when %s", async (how) => {
    const server = await startPartlySilentDns();
    const controller = new AbortController();
    const url = "https://silent.example";
    const { http, resolve } = await clientFor(server, url, [], controller.signal);
    const isTime = how === "its time is over";
    const requests = [1, 2].map(() => http.request({ url, timeoutMs: isTime ? 300 : 60_000 }));
    const ended = Promise.allSettled(requests);
    await expect.poll(() => server.queries.length).toBeGreaterThan(0);
    const signals = resolve.mock.calls.map(([, options]) => options?.signal);
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
    if (!isTime) controller.abort(new Error("stop"));
    const results = await ended;
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    const reasons = results.map((result) => (result.status === "rejected" ? result.reason : null));
    const expected = isTime ? "HttpTimeout" : "Error";
    expect(reasons.map((reason: Error | null) => reason?.name)).toEqual([expected, expected]);
  });

  it("keeps its look-up when another request for the host ends", async () => {
    const server = await startPartlySilentDns();
    const url = "https://silent.example";
    const { http, resolve } = await clientFor(server, url, []);
    const long = http.request({ url, timeoutMs: 60_000 });
    long.catch(() => undefined);
    await expect(http.request({ url, timeoutMs: 200 })).rejects.toThrow(HttpTimeout);
    expect(resolve.mock.calls[0]?.[1]?.signal?.aborted).toBe(false);
  });
});
