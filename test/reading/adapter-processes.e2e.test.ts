import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { decompress } from "../../src/platform/compression.ts";
import { Metrics } from "../../src/platform/metrics.ts";
import { defaultAnswerLimits } from "../../src/platform/outbound/index.ts";
import { isProviderFailure } from "../../src/providers/index.ts";
import { ProcessDied, type ReadCallbacks } from "../../src/reading/adapters.ts";
import {
  AdapterProcesses,
  type AdapterProcessesOptions,
} from "../../src/reading/child/adapter-processes.ts";
import { residentBytes } from "../../src/reading/child/resident-bytes.ts";
import type { ReadAnswer } from "../../src/reading/records/read-answer.ts";
import type { ReadTask } from "../../src/reading/records/read-whole.ts";
import { isAlive } from "../support/processes.ts";
import { unlimitedQuotas } from "../support/unlimited-quotas.ts";
import { projectDir } from "../support/program-environment.ts";
import { Receiver } from "../support/receiver.ts";

const open = new Set<AdapterProcesses>();
afterEach(async () => {
  for (const adapters of open) await adapters.stop();
  open.clear();
});

/** For tests that end no process, because a start takes half a second of a core. */
let shared: ReturnType<typeof createProcesses> | undefined;
afterAll(() => shared?.adapters.stop());
function useShared(): ReturnType<typeof createProcesses> {
  shared ??= createProcesses();
  open.delete(shared.adapters);
  return shared;
}

/** Adapters in child processes, with a log that the test can read. */
function createProcesses(options: Partial<AdapterProcessesOptions> = {}) {
  const lines: string[] = [];
  const metrics = new Metrics();
  const adapters = new AdapterProcesses({
    clock: systemClock,
    log: createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } }),
    metrics,
    processes: 1,
    heapMb: 64,
    memoryMb: 1024,
    readMemoryMb: 256,
    providerPackages: [join(projectDir, "test/support/faulty-provider.ts")],
    withheld: [],
    applications: {},
    outboundAllow: [],
    allowsHttp: false,
    answerLimits: defaultAnswerLimits,
    quotas: unlimitedQuotas,
    ...options,
  });
  open.add(adapters);
  const ended = async (): Promise<Record<string, number>> => {
    const { values } = await metrics.adapterProcessesEnded.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels["reason"], value]));
  };
  const read = (user: string, callbacks: Partial<ReadCallbacks & { isAlone: boolean }> = {}) =>
    adapters.read(taskOf(user), {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onSession: () => undefined,
      isAlone: false,
      services: {
        quotas: unlimitedQuotas.of(),
        renewSession: async () => expect.unreachable("no session is renewed"),
        keep: async () => undefined,
      },
      ...callbacks,
    });
  const login = (username: string, signal = new AbortController().signal) =>
    adapters.login({
      provider: "faulty",
      mode: "xhr",
      resources: [],
      formValues: { username },
      signal,
    });
  return { adapters, read, login, lines, ended };
}

function taskOf(user: string): ReadTask {
  return {
    clientId: "a",
    provider: "faulty",
    mode: "xhr",
    resource: "employees",
    parameters: "",
    fetchParameters: {},
    session: { user },
    today: "2026-03-02",
    idKey: randomBytes(32),
    fingerprintKey: randomBytes(32),
    stored: undefined,
    sessionVersion: 1,
    settings: {},
    kept: undefined,
    base: undefined,
    bounds: { maxBytes: 1e9, maxListBytes: 1e9, maxRecords: 1e6, maxPageMs: 60_000 },
  };
}

async function peopleOf({ list }: ReadAnswer): Promise<unknown[]> {
  return JSON.parse((await decompress(list!.body)).toString()) as unknown[];
}

/** What the promise rejects with. */
async function rejection(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => expect.unreachable("it did not fail"),
    (error: unknown) => error,
  );
}

/** Measures the CPU time of each turn of the event loop, which other programs of the machine do not change. */
class TurnMeter {
  #before = process.threadCpuUsage();
  #longestMs = 0;
  #next = setImmediate(() => this.#turn());

  /** Ends the measurement. */
  longestMs(): number {
    clearImmediate(this.#next);
    return this.#longestMs;
  }

  #turn(): void {
    const { user, system } = process.threadCpuUsage(this.#before);
    this.#longestMs = Math.max(this.#longestMs, (user + system) / 1_000);
    this.#before = process.threadCpuUsage();
    this.#next = setImmediate(() => this.#turn());
  }
}

const blamed = expect.objectContaining({ name: "ProcessDied", isBlamed: true });
const notBlamed = expect.objectContaining({ name: "ProcessDied", isBlamed: false });

test("a range that is one client's is closed to the calls of another", async () => {
  const inside = await Receiver.start();
  const { adapters } = createProcesses({
    outboundAllow: [{ range: `127.0.0.1/32:${inside.port}`, ownerId: "one" }],
  });
  const { origin } = new URL(inside.url);
  const formValues = { url: origin, database: "db", username: "a@example.com", password: "x" };
  const socketsOf = async (clientId: string | undefined): Promise<number> => {
    const before = inside.connections;
    const { signal } = new AbortController();
    const call = { clientId, provider: "odoo", mode: "xhr", resources: [], formValues } as const;
    await rejection(adapters.login({ ...call, signal }));
    return inside.connections - before;
  };
  expect(await socketsOf("one")).toBeGreaterThan(0);
  expect([await socketsOf("two"), await socketsOf(undefined)]).toEqual([0, 0]);
  await inside.close();
});

describe("a read in a child process", () => {
  test("gives its list, its index and its packed list", async () => {
    const { read } = useShared();
    const answer = await read("small");
    expect(await peopleOf(answer)).toHaveLength(2);
    expect(answer.list?.index?.length).toBe(2 * 21);
    expect(answer.list?.packedList?.length).toBe(2 * 16);
    expect(answer.progress).toMatchObject({ pages: 1, records: 2 });
  });

  test("says after each page how far it is", async () => {
    const { read } = useShared();
    const pages: number[] = [];
    await read("slow", { onProgress: (progress) => void pages.push(progress.pages) });
    expect(pages).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("of 30 MB leaves the event loop of the service free", async () => {
    const { read } = createProcesses({ heapMb: 256 });
    await read("small");
    const readLarge = async (): Promise<{ answer: ReadAnswer; longestMs: number }> => {
      const turns = new TurnMeter();
      const answer = await read("large");
      return { answer, longestMs: turns.longestMs() };
    };
    const { answer, longestMs } = await readLarge();
    // What keeps the loop does so each time; the garbage of the tests before does not.
    const again = longestMs < 50 ? longestMs : (await readLarge()).longestMs;
    expect(again).toBeLessThan(50);
    expect(answer.list?.body.length).toBeGreaterThan(20_000_000);
    expect(await peopleOf(answer)).toHaveLength(600);
  });

  test("ends soon after its signal fires, with the signal's reason", async () => {
    const { read } = createProcesses();
    for (const user of ["endless", "deaf"]) {
      const abort = new AbortController();
      const { promise: began, resolve } = Promise.withResolvers<void>();
      const reading = rejection(read(user, { signal: abort.signal, onProgress: () => resolve() }));
      await began;
      const abortedAt = performance.now();
      abort.abort(new Error("the lease has ended"));
      expect(await reading).toBe(abort.signal.reason);
      expect(performance.now() - abortedAt).toBeLessThan(1_500);
    }
  });

  test("that takes too long fails as a provider that is down", async () => {
    const { read } = createProcesses();
    await read("small");
    const error = await rejection(read("deaf", { signal: AbortSignal.timeout(100) }));
    expect(error).toMatchObject({ kind: "down" });
  });

  test("gives the session that the adapter saved, although the read fails afterwards", async () => {
    const { read } = createProcesses({ pingEveryMs: 100, silenceMs: 2_000 });
    for (const [user, failure] of [
      ["saves", expect.objectContaining({ kind: "down" })],
      ["saves-and-loops", blamed],
    ] as const) {
      const sessions: unknown[] = [];
      const reading = read(user, { onSession: (session) => void sessions.push(session) });
      expect(await rejection(reading)).toEqual(failure);
      expect(sessions).toEqual([{ user, cookie: "rotated" }]);
    }
  });

  test("gives the first of many saved sessions at once, and the newest before it ends", async () => {
    const { read } = useShared();
    const cookies: unknown[] = [];
    await read("rotates", { onSession: ({ cookie }) => void cookies.push(cookie) });
    expect(cookies[0]).toBe(0);
    expect(cookies.at(-1)).toBe(99);
    expect(cookies.length).toBeLessThan(10);
  });

  test("survives an error that an adapter leaves unhandled", async () => {
    const { read, lines, ended } = useShared();
    const [answer, neighbour] = await Promise.all([read("stray"), read("slow")]);
    expect(await peopleOf(answer)).toHaveLength(2);
    expect(await peopleOf(neighbour)).toHaveLength(50);
    expect(lines.join("")).toContain('"type":"TypeError"');
    expect(lines.join("")).not.toContain("nobody handles this");
    expect(await ended()).toEqual({});
  });

  test("is broken when its fetch is no generator, and says so", async () => {
    const { read, ended } = useShared();
    expect(await rejection(read("promise"))).toMatchObject({
      kind: "bug",
      message: expect.stringContaining("`fetch` has to be an async generator") as string,
    });
    expect(await ended()).toEqual({});
  });

  test("matches a text against any pattern in time", async () => {
    const { read } = useShared();
    expect(await peopleOf(await read("backtracking"))).toHaveLength(2);
  });

  test("leaves nothing that an adapter prints in the log", async () => {
    const { read, lines, ended } = createProcesses();
    expect(await rejection(read("prints"))).toEqual(blamed);
    expect(lines.join("")).not.toContain("a secret");
    expect(await ended()).toEqual({ heap: 1 });
  });
});

test("a child process gives back what a read that failed has left in its heap", async () => {
  const { adapters, read } = createProcesses({ heapMb: 512 });
  await read("small");
  const residentMb = async (): Promise<number> =>
    ((await residentBytes(adapters.pids[0] ?? 0)) ?? 0) / 1e6;
  const before = await residentMb();
  await rejection(read("bulky"));
  await expect.poll(residentMb).toBeLessThan(before + 80);
});

describe("a child process that has to be ended", () => {
  test("for its heap: every read in it is blamed, and the next read starts another one", async () => {
    const { adapters, read, lines, ended } = createProcesses();
    const pages = Promise.withResolvers<void>();
    const neighbour = rejection(read("slow", { onProgress: () => pages.resolve() }));
    await pages.promise;
    const [first] = adapters.pids;
    expect(await rejection(read("braces"))).toEqual(blamed);
    expect(await neighbour).toEqual(blamed);
    expect(await ended()).toEqual({ heap: 1 });
    expect(lines.join("")).toMatch(/FATAL ERROR: (?:Reached heap limit|Ineffective mark-compacts)/);
    expect(await peopleOf(await read("small"))).toHaveLength(2);
    expect(adapters.pids).not.toContain(first);
  });

  test("for an endless loop", async () => {
    const { read, ended } = createProcesses({ pingEveryMs: 100, silenceMs: 2_000 });
    expect(await rejection(read("loop"))).toEqual(blamed);
    expect(await ended()).toEqual({ silent: 1 });
  });

  test("for a list that grows without end, and a small read beside it is not blamed", async () => {
    // The budget of all reads is larger: it would let the large one wait where its process is just within its memory.
    const { read } = createProcesses({ memoryMb: 320, heapMb: 256, readMemoryMb: 1_024 });
    const small = rejection(read("endless"));
    const large = rejection(read("hoard"));
    expect(await large).toEqual(blamed);
    expect(await small).toEqual(notBlamed);
  });

  test("for its resident memory, which the heap limit does not see", async () => {
    const { read, ended } = createProcesses({ memoryMb: 220 });
    expect(await rejection(read("buffers"))).toEqual(blamed);
    expect(await ended()).toEqual({ memory: 1 });
  });

  test("by itself: a read is blamed when it was alone", async () => {
    const { read } = createProcesses();
    expect(await rejection(read("exit"))).toEqual(blamed);
    const pages = Promise.withResolvers<void>();
    const neighbour = rejection(read("slow", { onProgress: () => pages.resolve() }));
    await pages.promise;
    expect(await rejection(read("exit"))).toEqual(notBlamed);
    expect(await neighbour).toEqual(notBlamed);
  });

  test("does not touch a read in a process of its own", async () => {
    const { adapters, read } = createProcesses();
    const pages = Promise.withResolvers<void>();
    const alone = read("slow", { isAlone: true, onProgress: () => pages.resolve() });
    await pages.promise;
    expect(await rejection(read("exit"))).toEqual(blamed);
    expect(await peopleOf(await alone)).toHaveLength(50);
    expect(adapters.pids).toEqual([]);
  });

  test("is one of two at most for reads that run alone", async () => {
    const { adapters, read } = createProcesses();
    const reading = Array.from({ length: 3 }, () => read("slow", { isAlone: true }));
    let most = 0;
    const counting = setInterval(() => (most = Math.max(most, adapters.pids.length)), 20);
    await Promise.all(reading);
    clearInterval(counting);
    expect(most).toBe(2);
  });
});

describe("a sign-in in a child process", () => {
  test("gives a session, and what the session is of", async () => {
    const { adapters, login } = useShared();
    const result = await login("small");
    expect(result).toEqual({ session: { user: "small" } });
    const call = { provider: "faulty", mode: "xhr", resources: [] } as const;
    const { signal } = new AbortController();
    expect(await adapters.inspect({ ...call, session: { user: "small" }, signal })).toMatchObject({
      identity: { email: "ann@faulty.example" },
      unsupported: [],
      origin: null,
    });
  });

  test("is ended by a sign-out, whose failure is the provider's", async () => {
    const { adapters } = useShared();
    const logOut = (user: string) =>
      adapters.logOut({
        provider: "faulty",
        mode: "xhr",
        session: { user },
        isAccountInUse: false,
        signal: new AbortController().signal,
      });
    expect(await logOut("small")).toBeUndefined();
    expect(await rejection(logOut("large"))).toMatchObject({ kind: "down" });
  });

  test("that ends its process is a bug of the provider, and ends no read", async () => {
    const { read, login, ended } = createProcesses({ pingEveryMs: 100, silenceMs: 2_000 });
    const neighbour = read("slow");
    expect(await rejection(login("sign-in-loop"))).toMatchObject({ kind: "bug" });
    expect(await rejection(login("sign-in-exit"))).toMatchObject({ kind: "bug" });
    expect(await peopleOf(await neighbour)).toHaveLength(50);
    expect(await ended()).toEqual({ silent: 1, exit: 1 });
  });

  test("that another one ends is interrupted, which is no failure of the provider", async () => {
    const { login } = createProcesses();
    await login("small");
    const waiting = rejection(login("sign-in-waits"));
    const ending = rejection(login("sign-in-exit"));
    for (const error of [await waiting, await ending]) {
      expect(error).toBeInstanceOf(ProcessDied);
      expect(isProviderFailure(error)).toBe(false);
    }
  });

  test("that takes too long is a provider that is down", async () => {
    const { login } = useShared();
    const error = await rejection(login("sign-in-waits", AbortSignal.timeout(1_000)));
    expect(error).toMatchObject({ kind: "down" });
  });
});

describe("the end", () => {
  test("of work ends the child processes after a while", async () => {
    const { adapters, read, ended } = createProcesses({ pingEveryMs: 50, idleMs: 200 });
    await Promise.all([read("small"), read("slow")]);
    expect(adapters.pids).toHaveLength(1);
    await expect.poll(() => adapters.pids).toEqual([]);
    expect(await ended()).toEqual({});
    expect(await peopleOf(await read("small"))).toHaveLength(2);
  });

  test("of the service ends what runs, and blames nobody", async () => {
    const { adapters, read, login } = createProcesses();
    const began = Promise.withResolvers<void>();
    const reading = rejection(read("endless", { onProgress: () => began.resolve() }));
    const signingIn = rejection(login("sign-in-waits"));
    await began.promise;
    const { pids } = adapters;
    await adapters.stop();
    expect(await reading).toEqual(notBlamed);
    expect(await signingIn).toEqual(notBlamed);
    expect(await rejection(read("small"))).toEqual(notBlamed);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe("what a child process gets", () => {
  test("is no environment and a low priority, and Ctrl-C does not end it", async () => {
    const { adapters, read } = createProcesses();
    await read("small");
    const [pid] = adapters.pids;
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    const names = environment.filter(Boolean).map((entry) => entry.split("=")[0]);
    const ofItsOwn =
      /^(?:NODE_(?:CHANNEL_FD|CHANNEL_SERIALIZATION_MODE|COMPILE_CACHE)|MALLOC_[A-Z_]+)$/;
    expect(names.filter((name) => !ofItsOwn.test(name ?? ""))).toEqual([]);
    expect(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[16]).toBe("10");
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid!, signal);
    await delay(100);
    await read("small");
    expect(adapters.pids).toEqual([pid]);
  });

  test("is the time of the service, whatever the clock of the machine says", async () => {
    const clock = { ...systemClock, now: () => new Date("2020-02-29T12:00:00Z") };
    const { read } = createProcesses({ clock });
    expect(await peopleOf(await read("dated"))).toMatchObject([{ last_name: "2020-02-29" }]);
  });
});

test("a package that loads for longer than any limit is waited for by a start, and by nobody else", async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-slow-package-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const gate = join(folder, "gate.txt");
  await writeFile(gate, "closed");
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(folder, "index.js"),
    `import { readFileSync } from "node:fs";
     while (readFileSync(${JSON.stringify(gate)}, "utf8") !== "open")
       await new Promise((resolve) => setTimeout(resolve, 20));
     export default { apiVersion: 1, name: "slow", title: "Slow", modes: {} };`,
  );
  const limits = { pingEveryMs: 20, startMs: 100, idleMs: 100 };
  const options = { ...limits, providerPackages: [join(folder, "index.js")] };
  const hurried = createProcesses(options).adapters.loadRegistry({ isPatient: false });
  await expect(hurried).rejects.toThrow("it did not answer for 100 ms");

  const { adapters, lines } = createProcesses(options);
  const patient = adapters.loadRegistry({ isPatient: true });
  await expect
    .poll(() => lines.join(""))
    .toContain("provider packages are still loading; the start waits for them");
  await writeFile(gate, "open");
  await expect(patient).resolves.toBeDefined();
});
