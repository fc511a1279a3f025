import { DatabaseError } from "pg";
import { describe, expect, test, vi } from "vitest";
import { explainRefusal } from "../src/start/explain-start.ts";
import { NoClientFree, NoLogin, NoSocket } from "../src/platform/db/unavailable.ts";
import { createLog } from "../src/platform/log.ts";
import { StartRefused } from "../src/platform/start-refused.ts";
import { StartSteps, StartStopped } from "../src/start/start-steps.ts";
import { TestClock } from "./support/test-clock.ts";

/** An error as the server, the system or the driver makes it. */
function stateError(code: string, message = "said by the server"): Error {
  return Object.assign(new DatabaseError(message, 0, "error"), { code, severity: "ERROR" });
}
const systemError = (code: string): Error =>
  Object.assign(new Error(code), { code, syscall: "connect", address: "192.0.2.7", port: 5432 });

const away: readonly [string, Error][] = [
  ["a server that is not there", systemError("ECONNREFUSED")],
  ["a name that is not known", systemError("ENOTFOUND")],
  ["no sign of the server", new Error("timeout expired")],
  ["no socket", new NoSocket()],
  ["a socket without a byte", new NoLogin({ isAnswered: false })],
  ["a socket that was ended", new Error("Connection terminated unexpectedly")],
  ["a server that takes no writes", stateError("25006")],
];
const busy: readonly [string, Error][] = [
  ["a server that starts", stateError("57P03", "the database system is starting up")],
  ["a server with too many clients", stateError("53300")],
  ["a server without memory", stateError("53200")],
  [
    "a pooler without a client",
    stateError("08P01", "no more connections allowed (max_client_conn)"),
  ],
  ["a table that others hold", stateError("55P03")],
  ["a pool whose clients are in use", new NoClientFree()],
  ["a login that began", new NoLogin({ isAnswered: true })],
  ["no answer to a statement", new Error("Query read timeout")],
  ["a statement that took too long", stateError("57014")],
  ["a transaction that waited too long", stateError("25P03")],
  ["a transaction that lost", stateError("40P01")],
];
const refusals: readonly [string, Error][] = [
  ["a wrong password", stateError("28P01")],
  ["a database that does not exist", stateError("3D000")],
  ["a full disk", stateError("53100")],
  ["a refused start", new StartRefused("The master key is another one.")],
  ["a mistake of ours", new TypeError("x is not a function")],
];

/** Who waits moves the time on, and waits no longer. */
class HurriedClock extends TestClock {
  override async sleep(ms: number): Promise<void> {
    this.advance(ms / 1_000);
  }
}

const ofService = { awayMs: 60_000, silentMs: 60_000, busyMs: Infinity };
const ofCommand = { awayMs: 0, silentMs: 20_000, busyMs: 20_000 };

function makeSteps(patience = ofService) {
  const clock = new HurriedClock();
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  return { clock, lines, steps: new StartSteps({ clock, log }, patience) };
}

/** Work that fails so often, and then succeeds. */
function failing(times: number, error: Error): () => Promise<string> {
  let left = times;
  return async () => {
    if ((left -= 1) >= 0) throw error;
    return "done";
  };
}

describe("a step that opens something", () => {
  test.each([...away, ...busy])("is repeated after %s", async (_what, error) => {
    expect(await makeSteps().steps.open("opens it", failing(100, error))).toBe("done");
  });

  test.each(away)("gives up after a minute of %s", async (_what, error) => {
    const { steps, clock } = makeSteps();
    await expect(steps.open("opens it", failing(Infinity, error))).rejects.toBe(error);
    expect(clock.elapsedMs()).toBe(60_000);
  });

  test.each(busy)("is repeated for as long as it takes after %s", async (_what, error) => {
    const { steps, clock } = makeSteps();
    await steps.open("opens it", failing(10_000, error));
    expect(clock.elapsedMs()).toBeGreaterThan(3_600_000);
  });

  test("counts the minute from the last answer", async () => {
    const { steps, clock } = makeSteps();
    const errors = [100, 100, 200].flatMap((count, index) =>
      Array.from({ length: count }, () => (index === 1 ? busy[0]?.[1] : away[0]?.[1])),
    );
    await expect(steps.open("opens it", async () => Promise.reject(errors.shift()!))).rejects.toBe(
      away[0]?.[1],
    );
    expect(clock.elapsedMs()).toBe(50_000 + 50_000 + 60_000 - 500);
  });

  test.each(refusals)("ends at once after %s", async (_what, error) => {
    const { steps, clock } = makeSteps();
    await expect(steps.open("opens it", failing(1, error))).rejects.toBe(error);
    expect(clock.elapsedMs()).toBe(0);
  });

  test.each([
    ["is away: no time", systemError("ECONNREFUSED"), 0],
    ["is busy: some time", stateError("53300"), 20_000],
    ["may be busy: some time", new Error("timeout expired"), 20_000],
  ])("of a command gives a database that %s", async (_what, error, ms) => {
    const { steps, clock } = makeSteps(ofCommand);
    await expect(steps.open("opens it", failing(Infinity, error))).rejects.toBe(error);
    expect(clock.elapsedMs()).toBe(ms);
  });
});

describe("a step of a process that listens", () => {
  test.each([...away, ...busy, ...refusals])("is repeated after %s", async (_what, error) => {
    const { steps, clock } = makeSteps();
    expect(await steps.prepare("prepares it", failing(1_000, error))).toBe("done");
    expect(clock.elapsedMs()).toBeGreaterThanOrEqual(500_000);
  });

  test("ends when the process stops", async () => {
    const { steps } = makeSteps();
    const failed = steps.prepare("prepares it", async () => {
      steps.stop();
      throw new Error("the pool has ended");
    });
    await expect(failed).rejects.toThrow(StartStopped);
  });
});

describe("what is told", () => {
  test("is which step waits and why, until the start is complete", async () => {
    const { steps } = makeSteps();
    const told: (string | undefined)[] = [];
    const errors = [systemError("ECONNREFUSED"), stateError("53300"), new TypeError("a secret")];
    await steps.prepare("makes the demo client", async () => {
      told.push(steps.describe());
      const error = errors.shift();
      if (error) throw error;
    });
    const start = "The start is not complete: it makes the demo client.";
    expect(told).toEqual([
      start,
      `${start} The database is away.`,
      `${start} The database is busy, or has no client left.`,
      `${start} That failed for a reason that the log has.`,
    ]);
    steps.finish();
    expect(steps.describe()).toBeUndefined();
  });

  test("is a line every five seconds, with what the server said and how long it is still repeated", async () => {
    const { steps, lines } = makeSteps();
    await steps.open("reaches the database", failing(15, systemError("ECONNREFUSED")));
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatchObject({
      detail: "connect ECONNREFUSED 192.0.2.7:5432",
      secondsLeft: 60,
      msg: "the start waits: it reaches the database. The database is away. It is tried again",
    });
    expect(told[1]).toMatchObject({ secondsLeft: 55 });
  });
});

test("work that goes on is told every five seconds", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { steps, lines } = makeSteps();
  const work = Promise.withResolvers<string>();
  const opened = steps.open("opens the queue", () => work.promise);
  vi.advanceTimersByTime(11_000);
  work.resolve("done");
  expect(await opened).toBe("done");
  vi.advanceTimersByTime(11_000);
  vi.useRealTimers();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"the start waits: it opens the queue, and that goes on"');
});

describe("what a command or a start that gives up says", () => {
  test.each([
    [
      systemError("ECONNREFUSED"),
      /^The database on 192\.0\.2\.7:5432 does not answer \(ECONNREFUSED\)\. Start it/,
    ],
    [new NoSocket(), /^The database does not answer in time .* or correct DATABASE_URL\.$/],
    [
      new NoLogin({ isAnswered: false }),
      /^The database takes a connection and says nothing in time .* Look at the server, and at a proxy before it/,
    ],
    [
      new NoLogin({ isAnswered: true }),
      /^The database answers, and is too busy for this \(no login/,
    ],
    [new NoClientFree(), /^The database answers, and is too busy for this \(every client of/],
    [stateError("57P03"), /^The database starts or stops \(57P03\)\./],
    [stateError("57014"), /^The database answers, and is too busy for this \(57014\)\./],
    [stateError("53300"), /^The database answers, and is too busy for this \(53300\)\./],
    [new Error("Query read timeout"), /^The database answers, and is too busy for this/],
    [new Error("Connection terminated unexpectedly"), /^The database ended the connection/],
    [stateError("25006"), /^The database takes no writes \(25006\)\./],
    [
      stateError("53100"),
      /^The database cannot be used \(53100\): its disk is full; make room on it\.$/,
    ],
  ])("%s", (error, sentence) => {
    expect(explainRefusal(error)).toMatch(sentence);
  });
});
