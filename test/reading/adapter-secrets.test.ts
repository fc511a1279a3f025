import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { Metrics } from "../../src/platform/metrics.ts";
import { defaultAnswerLimits } from "../../src/platform/outbound/index.ts";
import { AdapterProcesses } from "../../src/reading/child/adapter-processes.ts";
import { CallSecrets, hideSecrets } from "../../src/reading/child/secrets/call-secrets.ts";
import { listSpellings } from "../../src/reading/child/secrets/list-spellings.ts";
import { findSecrets, writeCarelessly } from "../support/careless-writing.ts";
import { leaked } from "../support/leaking-provider.ts";
import { projectDir } from "../support/program-environment.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { unlimitedQuotas } from "../support/unlimited-quotas.ts";

const application = { clientId: "rollcall", clientSecret: "the secret/of the+application" };
const codeVerifier = "v".repeat(43);
const secrets = [...Object.values(leaked), application.clientSecret, codeVerifier];

/** What is left of a text in a call with these sessions. */
function hide(text: string, ...sessions: unknown[]): string {
  const known = new CallSecrets();
  for (const session of sessions) known.addSession(session);
  return known.hide(text);
}

describe("what the host takes out of a text", () => {
  test.each(writeCarelessly(leaked.password))("is the secret of: %s", (writing) => {
    const shown = hide(writing, leaked.password);
    expect(findSecrets(writing, [leaked.password])).toEqual([leaked.password]);
    expect(findSecrets(shown, [leaked.password])).toEqual([]);
    expect(shown).toContain("[secret]");
  });

  test("leaves the rest of the text", () => {
    expect(hide("sign-in of letmein1, again", "letmein1")).toBe("sign-in of [secret], again");
  });

  test("is the whole of secrets that overlap, contain or follow one another", () => {
    expect(hide("<abcdefgh>", "abcdef", "cdefgh")).toBe("<[secret]>");
    expect(hide("<abcdefgh>", "bcdefg", "abcdefgh")).toBe("<[secret]>");
    expect(hide("<abcdefghijkl>", "abcdef", "ghijkl")).toBe("<[secret]>");
    expect(hide("<aaaaaaab>", "aaaaaab")).toBe("<a[secret]>");
  });

  test("is each text of a session, and each value of its cookies", () => {
    const jar = JSON.stringify({
      version: "tough-cookie@6.1.0",
      cookies: [{ key: "session_id", value: "0123456789", domain: "acme.example" }],
    });
    const session = { key: "the-key", cookies: jar, list: [{ deep: "deep-down" }], pin: "12345" };
    expect(hide("session_id 0123456789 the-key deep-down 12345", session)).toBe(
      "session_id [secret] [secret] [secret] 12345",
    );
  });

  test("is no address of a provider and no time, which anybody may see", () => {
    const session = { url: "https://acme.example", at: "2030-01-01T10:00:00Z", day: "2030-01-01" };
    const text = "at https://acme.example/path until 2030-01-01T10:00:00Z";
    expect(hide(text, session)).toBe(text);
  });

  test("is an end that may be the beginning of a secret, where the text is cut", () => {
    const text = `${"-".repeat(15_995)}secret-of-ann`;
    expect(hide(text, "secret-of-ann")).toBe(`${"-".repeat(15_995)}[secret]`);
  });

  test("is everything when there are more secrets than can be looked for", () => {
    const session = Array.from({ length: 3_000 }, (_, index) => `secret number ${index}`);
    expect(hide("it says nothing", session)).toBe("[withheld]");
  });

  test("is the newest of what a provider gives again and again", () => {
    const known = new CallSecrets();
    known.add("the-password");
    for (let index = 10_000; index < 15_000; index += 1) known.gain(`cookie-${index}`);
    expect(known.hide("the-password cookie-14999")).toBe("[secret] [secret]");
  });

  test.each([
    ["of one repeated letter", "a".repeat(3_000)],
    ["of other letters than ASCII", "Übergrößenträger ".repeat(200)],
    ["with half a letter at its cut", `-${"😀".repeat(2_000)}`],
  ])("is a long secret %s with all that follows, in whatever spelling", (_name, long) => {
    for (const writing of writeCarelessly(long)) {
      const shown = hide(`it says ${writing}, and more`, long);
      expect(shown).toMatch(/^it says .{0,60}\[secret\]$/);
      expect(findSecrets(shown, [long.slice(0, 40), long.slice(2_000, 2_040)])).toEqual([]);
    }
    expect(hide(`it says ${long.slice(0, 900)}, and more`, long)).toContain(", and more");
  });

  test("is what one finds who looks for each secret at each place", () => {
    const random = new SeededRandom(7);
    const draw = (length: number): string =>
      Array.from({ length }, () => (random.chance(0.6) ? "a" : "b")).join("");
    for (let round = 0; round < 300; round += 1) {
      const texts = Array.from({ length: 6 }, () => draw(6 + random.below(6)));
      const text = draw(60);
      const marks = [...text].map(() => false);
      for (const secret of texts)
        for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
          marks.fill(true, at, at + secret.length);
      const expected = [...text].map((letter, at) => (marks[at] ? "#" : letter)).join("");
      expect(hide(text, ...texts)).toBe(expected.replace(/#+/g, "[secret]"));
    }
  });

  test("takes 25 times the bytes of a secret at most, in all spellings together", () => {
    for (const letter of ["a", "~", '"', "\\", "\u0001", "é", "ÿ", "\u0800", "語", "😀"]) {
      const secret = letter.repeat(300);
      const characters = [...listSpellings(secret)].join("").length;
      expect([letter, characters <= 25 * Buffer.byteLength(secret)]).toEqual([letter, true]);
    }
  });

  test("is found with a step for each spelling, and memory for the text alone", () => {
    const calls = Array.from({ length: 8 }, (_call, call) => {
      const known = new CallSecrets();
      for (let index = 0; index < 1_000; index += 1)
        known.gain(`${call}.${index}`.padEnd(400, "ÿ"));
      return known;
    });
    const text = "the server fails at the moment";
    const { steps, kept } = countWork(() => hideSecrets(text, calls));
    expect(kept).toBeLessThan(3 * text.length);
    expect(steps).toBeLessThan(10_000);
  });

  test("is found in linear time, however secrets and text repeat themselves", () => {
    const session = Array.from({ length: 190 }, (_, index) => `${"a".repeat(100)}${index}`);
    const known = new CallSecrets();
    known.addSession(session);
    const text = "a".repeat(16_000);
    const { steps, kept } = countWork(() => known.hide(text));
    expect(kept).toBeLessThan(3 * text.length);
    expect(steps).toBeLessThan(8 * text.length);
  });
});

/** How often something is looked up in a map meanwhile, or put into one. */
function countWork(work: () => void): { steps: number; kept: number } {
  const { get, has, set } = Map.prototype;
  const counts = { steps: 0, kept: 0 };
  const counted = (method: (...given: never[]) => unknown, count: keyof typeof counts) =>
    function (this: Map<unknown, unknown>, ...given: never[]): unknown {
      counts[count] += 1;
      return Reflect.apply(method, this, given);
    };
  Object.assign(Map.prototype, {
    get: counted(get, "steps"),
    has: counted(has, "steps"),
    set: counted(set, "kept"),
  });
  try {
    work();
    return counts;
  } finally {
    Object.assign(Map.prototype, { get, has, set });
  }
}

/** In one process. */
function startAdapters(lines: string[]): AdapterProcesses {
  return new AdapterProcesses({
    clock: systemClock,
    log: createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } }),
    metrics: new Metrics(),
    processes: 1,
    heapMb: 128,
    memoryMb: 512,
    readMemoryMb: 64,
    providerPackages: [join(projectDir, "test/support/leaking-provider.ts")],
    withheld: [],
    applications: { leaking: application },
    outboundAllow: [{ range: "127.0.0.0/8" }],
    allowsHttp: true,
    answerLimits: defaultAnswerLimits,
    quotas: unlimitedQuotas,
  });
}

describe("an adapter of a mode with OAuth2 that logs what it gets", () => {
  const lines: string[] = [];
  let server: Server;
  let adapters: AdapterProcesses;
  let origin: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      if (request.url === "/token")
        response.setHeader("content-type", "application/json").end(
          JSON.stringify({
            access_token: leaked.accessToken,
            refresh_token: leaked.refreshToken,
          }),
        );
      else response.setHeader("set-cookie", `session=${leaked.cookie}; Path=/`).end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    adapters = startAdapters(lines);
  });
  afterAll(async () => {
    await adapters.stop();
    server.close();
  });

  test("leaves in the log neither the code of the page, tokens and cookies nor the secret of the application", async () => {
    const call = {
      provider: "leaking",
      mode: "official",
      resources: [],
      signal: AbortSignal.timeout(60_000),
    } as const;
    const authorization = { code: leaked.code, codeVerifier, redirectUri: "https://x.example/" };
    const signedIn = await adapters.login({ ...call, formValues: { origin }, authorization });
    const { session } = signedIn as { session: Record<string, unknown> };
    expect(JSON.stringify(session)).toContain(leaked.accessToken);
    expect(JSON.stringify(session)).toContain(leaked.cookie);
    await adapters.inspect({ ...call, session });
    await expect.poll(() => lines.join("").match(/late: the secret is/g)?.length).toBe(7);
    expect(findSecrets(lines.join(""), secrets)).toEqual([]);
  });

  test("nor the session that replaces one, nor the one that it replaces", async () => {
    lines.splice(0);
    const session = { token: leaked.token };
    const call = { provider: "leaking", mode: "xhr", session } as const;
    const signal = AbortSignal.timeout(60_000);
    const renewed = await adapters.refresh({ ...call, signal });
    expect(renewed).toMatchObject({ token: leaked.renewedToken });
    await adapters.inspect({ ...call, session: renewed, resources: [], signal });
    await expect.poll(() => lines.join("").includes("late: the secret is")).toBe(true);
    expect(findSecrets(lines.join(""), secrets)).toEqual([]);
  });
});

/** 15 kilobytes of them, which no other answer has. */
function freshCookies(answer: number): Record<string, string[]> {
  const values = Array.from({ length: 4 }, (_, cookie) => `${answer}.${cookie}.`);
  return { "set-cookie": values.map((start, cookie) => `c${cookie}=${start.padEnd(3_600, "ÿé")}`) };
}

test("the process of all sign-ins goes on when servers that strangers name send large cookies and fail", async () => {
  const adapters = startAdapters([]);
  const answers: ServerResponse[] = [];
  const fail = (answer: number): void =>
    void answers[answer]?.writeHead(503, freshCookies(answer)).end();
  // All of them run when the first one fails.
  const failing = createServer((request, response) => {
    request.resume();
    const count = answers.push(response);
    if (count === 8) for (let answer = 0; answer < 8; answer += 1) fail(answer);
    if (count > 8) fail(count - 1);
  }).listen(0, "127.0.0.1");
  await once(failing, "listening");
  const typed = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
  const probes = Array.from({ length: 8 }, async () => {
    const signal = AbortSignal.timeout(60_000);
    return await adapters.probe({ provider: "odoo", mode: "xhr", typed, signal });
  });
  const failures = (await Promise.allSettled(probes)).map(
    (one) => "reason" in one && (one.reason as Error).name,
  );
  expect(failures).toEqual(Array.from({ length: 8 }, () => "FieldError"));
  await adapters.stop();
  failing.close();
});
