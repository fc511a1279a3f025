import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Agent } from "undici";
import { z } from "zod";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRunPrinter } from "../../src/cli/print-run.ts";
import {
  AddressPolicy,
  createGuardedAgent,
  type OwnWay,
} from "../../src/platform/outbound/index.ts";
import { NameNotResolved } from "../../src/platform/outbound/query-dns.ts";
import { systemRandom } from "../../src/platform/random.ts";
import {
  defineProvider,
  type FoundSystem,
  type ProbeContext,
  type TypedOrigin,
} from "../../src/providers/contract.ts";
import { AuthError, FieldError, ProviderBug, ProviderDown } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderHost } from "../../src/providers/provider-host.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { originSentences } from "../../src/providers/typed-origin.ts";
import type { RunEvent } from "../../src/workbench/child/messages.ts";
import { runProvider } from "../../src/workbench/child/run.ts";
import { TestClock } from "../support/test-clock.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

function providerOf(origin: TypedOrigin, oauth2 = false) {
  return defineProvider({
    apiVersion: 1,
    name: "typed",
    title: "Typed",
    modes: {
      xhr: {
        form: z.object({
          url: formField({ title: "Address", isAddress: true }),
          password: formField({ title: "Password", isSecret: true }),
        }),
        origin,
        ...(oauth2 && {
          oauth2: { authorizationUrl: () => "https://a.example", scopes: () => [] },
        }),
        login: async () => ({ session: {} }),
        check: async () => ({ unsupported: [] }),
        identity: async () => ({ name: "Ann", email: "ann@typed.example", phone_number: null }),
        resources: {},
      },
    },
  });
}

type Probe = (context: ProbeContext, origin: string) => Promise<FoundSystem>;

const askFirst: Probe = async ({ http }, origin) => {
  const { status } = await http(origin).request({ url: origin, timeoutMs: 200 });
  if (status !== 200) throw new FieldError("url", "There is no Typed at this address.");
  return { version: "7.1" };
};

/** A probe of what counts as public. */
async function probe(typed: string, given: Probe, agent = publicAgent()) {
  const way: OwnWay = { agent, wentInside: () => false, close: () => agent.destroy() };
  const host = new ProviderHost({
    registry: new ProviderRegistry([
      providerOf({ field: "url", of: (text) => text, probe: given }),
    ]),
    agentOf: () => agent,
    openWay: () => way,
    clock: new TestClock(),
    random: systemRandom,
    log: { child: () => ({ debug: () => undefined, warn: () => undefined }) },
  });
  const signal = new AbortController().signal;
  return await host.probe({ provider: "typed", mode: "xhr", signal, typed });
}

function publicAgent() {
  return createGuardedAgent({ policy: new AddressPolicy(["127.0.0.0/8"]), allowsHttp: true });
}

/** Each socket fails with this error. */
function failingAgent(error: Error) {
  return new Agent({ connect: (_options, callback) => callback(error, null) });
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const coded = (code: string): Error => Object.assign(new Error("failed"), { code });

describe("a failure of the network at an address that is public", () => {
  test.each<[Error, keyof typeof originSentences]>([
    [new NameNotResolved("ENOTFOUND"), "absent"],
    [new NameNotResolved("ESERVFAIL"), "unknown"],
    [new NameNotResolved("ECONNREFUSED"), "unknown"],
    [coded("ECONNREFUSED"), "closed"],
    [coded("EHOSTUNREACH"), "closed"],
    [coded("ETIMEDOUT"), "silent"],
    [coded("UND_ERR_CONNECT_TIMEOUT"), "silent"],
    [coded("CERT_HAS_EXPIRED"), "certificate"],
    [coded("ERR_TLS_CERT_ALTNAME_INVALID"), "certificate"],
    [coded("DEPTH_ZERO_SELF_SIGNED_CERT"), "certificate"],
    [coded("ERR_SSL_WRONG_VERSION_NUMBER"), "foreign"],
    [coded("EPROTO"), "foreign"],
  ])("has a sentence of its kind at the field: %o", async (error, cause) => {
    const failure = probe("https://typed.example", askFirst, failingAgent(error));
    await expect(failure).rejects.toMatchObject({
      kind: "field",
      field: "url",
      explanation: originSentences[cause],
      cause: { name: "HttpUnreachable" },
    });
  });

  test.each<[string, keyof typeof originSentences, RequestListener]>([
    ["nothing in time", "silent", () => undefined],
    ["a failure", "failing", (_, response) => void response.writeHead(503).end()],
    ["that it is too busy", "failing", (_, response) => void response.writeHead(429).end()],
    ["no HTTP", "foreign", ({ socket }) => void socket.end("220 mail.example ESMTP\r\n")],
    [
      "an address elsewhere",
      "moved",
      (_, response) => void response.writeHead(301, { location: "https://b.example/" }).end(),
    ],
  ])("and so has a server that answers %s", async (_what, cause, listener) => {
    await expect(probe(await listen(listener), askFirst)).rejects.toMatchObject({
      field: "url",
      explanation: originSentences[cause],
    });
  });
});

describe("what a probe says", () => {
  const none = "There is no Typed at this address.";

  test("is the version of the system", async () => {
    expect(await probe(await listen((_, response) => void response.end()), askFirst)).toEqual({
      version: "7.1",
    });
  });

  test("of a redirect on the same server is the adapter's", async () => {
    const at = await listen(
      (_, response) => void response.writeHead(302, { location: "/b" }).end(),
    );
    await expect(probe(at, askFirst)).rejects.toMatchObject({ explanation: none });
  });

  test.each<[string, Error, object]>([
    ["its own FieldError", new FieldError("url", none), { field: "url", explanation: none }],
    [
      "another failure of the contract",
      new ProviderBug("no JSON"),
      { explanation: originSentences.foreign },
    ],
    [
      "a refusal",
      new AuthError("reauthentication_required"),
      { explanation: originSentences.foreign },
    ],
    ["that the system is away", new ProviderDown("away"), { explanation: originSentences.failing }],
    ["a mistake of its own code", new TypeError("undefined"), { kind: "bug" }],
  ])("is told: %s", async (_what, error, expected) => {
    const failing: Probe = async () => {
      throw error;
    };
    await expect(probe("https://typed.example", failing)).rejects.toMatchObject(expected);
  });

  test("of a system that cannot be read is its sentence", async () => {
    const refusal = "This Typed is version 2. The oldest that can be read is version 3.";
    await expect(
      probe("https://typed.example", async () => ({ version: "2", refusal })),
    ).rejects.toMatchObject({ field: "url", explanation: refusal });
  });

  test.each(["nginx/1.27", "7 <b>", "1.2.3.4.5", "9".repeat(100)])(
    "is never a text of a server: %s",
    async (version) => {
      await expect(probe("https://typed.example", async () => ({ version }))).rejects.toMatchObject(
        { kind: "bug" },
      );
    },
  );

  test("is asked with the address alone", async () => {
    const given: unknown[] = [];
    await probe("https://typed.example", async (...all) => {
      given.push(...all);
      return {};
    });
    expect(Object.keys(given[0] as object).toSorted()).toEqual(["clock", "http", "log", "signal"]);
    expect(given.slice(1)).toEqual(["https://typed.example"]);
  });
});

const of: TypedOrigin["of"] = (typed) => typed;

test("a provider that is run by hand says what was found, before the rest of the sign-in", async () => {
  const definition = providerOf({ field: "url", of, probe: askFirst });
  const url = await listen((_, response) => void response.end());
  const events: RunEvent[] = [];
  await runProvider(
    { definition, mode: definition.modes.xhr!, modeName: "xhr" },
    {
      resources: [],
      range: { start: "2026-01-01", end: "2026-01-31" },
      limit: 1,
      isWhole: false,
      isRecorded: false,
      signIn: { formValues: { url, password: "x" } },
      redirectUri: "https://rollcall.invalid/connect/callback",
      outboundAllow: [{ range: "127.0.0.0/8" }],
      allowsHttp: true,
    },
    {
      onEvent: (event) => void events.push(event),
      onSession: () => undefined,
      ask: async () => "",
      approve: async () => "",
    },
  );
  expect(events.map(({ type }) => type)).toEqual(["exchange", "found", "signed-in"]);
  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  events.slice(1, 2).forEach(createRunPrinter({ isJson: false }, { isExplained: false }).print);
  expect(printed.mock.calls.flat()).toEqual(["found Typed 7.1\n"]);
  printed.mockRestore();
});

describe("an origin is refused when the provider is loaded", () => {
  test.each<[string, TypedOrigin, boolean, RegExp]>([
    ["at no field of the form", { field: "host", of }, false, /names host, which is no field/],
    ["at a secret", { field: "password", of }, false, /names password, which is no field/],
    [
      "with a probe that nobody would call",
      { field: "url", of, probe: async () => ({}) },
      true,
      /has a probe, and the person is led to the provider's own page/,
    ],
  ])("%s", (_what, origin, oauth2, wrong) => {
    expect(() => new ProviderRegistry([providerOf(origin, oauth2)])).toThrow(wrong);
  });
});
