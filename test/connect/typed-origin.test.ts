import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { z } from "zod";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { signInAtTerminal } from "../../src/cli/sign-in-at-terminal.ts";
import type { Client } from "../../src/clients/index.ts";
import { scopesOfMode } from "../../src/model/index.ts";
import { NameResolver } from "../../src/platform/outbound/name-resolver.ts";
import { NameNotResolved } from "../../src/platform/outbound/query-dns.ts";
import { defineProvider, type TypedOrigin } from "../../src/providers/contract.ts";
import { AuthError } from "../../src/providers/errors.ts";
import { bamboohr } from "../../src/providers/bamboohr/index.ts";
import { formField } from "../../src/providers/form-field.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
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
import { FakeOdoo } from "../support/fake-odoo.ts";
import { forgetSignIns } from "../support/forget-sign-ins.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const password = "password-marker";
const absent = "There is no such address. Please check its spelling.";
const inside =
  "Nothing that can be connected was found at this address. Please check it, or ask your administrator.";
const nothingWrong = "nothing wrong with what you entered";

/** Of each a mode without a probe: the whole address is typed, or a part of it. */
const unprobed = (name: string, isAddress: boolean, of: TypedOrigin["of"]) =>
  defineProvider({
    apiVersion: 1,
    name,
    title: name,
    modes: {
      xhr: {
        form: z.object({
          place: formField({ title: "Place", isAddress }),
          password: formField({ title: "Password", isSecret: true }),
        }),
        origin: { field: "place", of },
        login: async ({ http }, { place = "" }) => {
          const origin = of(place) ?? "";
          await http(origin).request({ url: `${origin}/first`, isIdempotent: false });
          await http(origin).request({ url: `${origin}/second`, isIdempotent: false });
          throw new AuthError("incorrect_username_or_password");
        },
        check: async () => ({ unsupported: [] }),
        identity: async () => ({ name: "Ann", email: "ann@plain.example", phone_number: null }),
        resources: {},
      },
    },
  });

let harness: Harness;
let client: Client;
let fake: FakeOdoo;
beforeAll(async () => {
  harness = await createHarness({
    registry: new ProviderRegistry([
      sandbox,
      odoo,
      bamboohr,
      unprobed("whole", true, (typed) => typed),
      unprobed("part", false, (typed) =>
        typed.includes(":") ? typed : `https://${typed}.invalid`,
      ),
    ]),
    env: { TRUST_PROXY: "127.0.0.0/8" },
  });
  ({ client } = await harness.createClient());
  workSignIns(harness);
  fake = await FakeOdoo.start({
    version: 19,
    users: [{ uid: 2, login: "ines@example.com", password: "right", groups: [] }],
    tables: {},
  });
});
afterAll(async () => {
  await fake.stop();
  await harness.close();
});
const servers: ReturnType<typeof createServer>[] = [];
beforeEach(async () => {
  await forgetSignIns(harness);
  vi.spyOn(NameResolver.prototype, "resolve").mockImplementation(async () => {
    throw new NameNotResolved("ENOTFOUND");
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  fake.interfere = () => undefined;
  fake.requests.length = 0;
  fake.passwordsTried = 0;
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closedPort(): Promise<string> {
  const origin = await listen(() => undefined);
  const server = servers.pop();
  server?.close();
  await once(server!, "close");
  return origin;
}

interface Typing {
  from?: string;
  provider?: string;
  lang?: string;
}

async function send(
  fields: Record<string, string>,
  { from = "203.0.113.7", provider = "odoo", lang }: Typing = {},
): Promise<Seen> {
  const visitor = new ConnectVisitor(harness.baseUrl, { "x-forwarded-for": from });
  const form = await visitor.begin(linkPath(client, { provider, lang }));
  return await visitor.submit(form, fields);
}

const typeUrl = (url: string, typing?: Typing): Promise<Seen> =>
  send({ url, database: "people", username: "ines@example.com", password }, typing);

const sendTo = (provider: string, place: string) => send({ place, password }, { provider });

const spell = (index: number): string => `https://name-${index}.invalid`;

const errorAt = async (url: string, from?: string) =>
  fieldOf(await typeUrl(url, from === undefined ? {} : { from }), "url").error;

/** The fields that a page asks for. */
function namesOf({ html }: Seen): string[] {
  return [...html.matchAll(/ id="field-\w+" name="(\w+)"/g)].map(([, name = ""]) => name);
}

/** What a person and a screen reader find at a field. */
function fieldOf({ html }: Seen, name: string) {
  const input = new RegExp(`<input id="field-${name}"[^>]*>`).exec(html)?.[0] ?? "";
  const textAt = (part: string): string | undefined =>
    new RegExp(`id="field-${name}-${part}">(.*?)</p>`).exec(html)?.[1]?.replaceAll(/<[^>]+>/g, "");
  const describedBy = /aria-describedby="([^"]*)"/.exec(input)?.[1]?.split(" ") ?? [];
  const told = (part: string): string | undefined =>
    describedBy.includes(`field-${name}-${part}`) ? textAt(part) : undefined;
  return {
    error: told("error"),
    isFocused: input.includes(" autofocus"),
    isInvalid: input.includes('aria-invalid="true"'),
  };
}

describe("the address of a system that is typed", () => {
  test("is asked for alone; what was found there stands above the credentials, which are tried once", async () => {
    const visitor = new ConnectVisitor(harness.baseUrl);
    const first = await visitor.open(linkPath(client, { provider: "odoo" }));
    expect(namesOf(first)).toEqual(["url"]);
    const sent = await visitor.send(first, "address", { url: fake.origin, password: "not asked" });
    const second = await visitor.settle(sent);
    expect(fake.requests.map(({ path }) => path)).toEqual(["/web/webclient/version_info"]);
    expect(textOf(second)).toContain(`Found your Odoo 19 at ${new URL(fake.origin).host}.`);
    expect(namesOf(second)).not.toContain("url");
    expect(fieldOf(second, "database")).toMatchObject({ isFocused: true, isInvalid: false });
    const wrong = { database: "people", username: "ines@example.com", password };
    const page = await visitor.submit(second, wrong);
    expect(fake.requests.slice(1).map(({ path }) => path)).toEqual([
      "/web/webclient/version_info",
      "/web/database/list",
      "/web/session/authenticate",
    ]);
    expect(fake.passwordsTried).toBe(1);
    expect(textOf(page)).toContain("Odoo didn’t accept this email or password");
    expect(textOf(page)).toContain("Found your Odoo 19 at");
  });

  test("can be changed afterwards, and whatever else was typed stays, but for the password", async () => {
    const visitor = new ConnectVisitor(harness.baseUrl);
    const first = await visitor.open(linkPath(client, { provider: "odoo" }));
    const second = await visitor.settle(await visitor.send(first, "address", { url: fake.origin }));
    const fields = { ...hiddenFields(second, "sign-in"), username: "ines@example.com", password };
    await visitor.ask("POST", `${second.path}/back`, fields);
    const back = await visitor.open(second.path);
    expect(namesOf(back)).toEqual(["url"]);
    expect(back.html).toContain(`value="${fake.origin}"`);
    const again = await visitor.settle(await visitor.send(back, "address", { url: fake.origin }));
    expect(again.html).toContain('value="ines@example.com"');
    expect(again.html).not.toContain(password);
    expect(fake.passwordsTried).toBe(0);
  });

  test.each([
    ["en", absent],
    ["de", "Diese Adresse gibt es nicht. Bitte prüfen Sie die Schreibweise."],
    ["es", "Esta dirección no existe. Compruebe cómo está escrita."],
    ["fr", "Cette adresse n’existe pas. Veuillez vérifier son orthographe."],
  ])("is refused at its field when the name does not exist: %s", async (lang, error) => {
    const page = await typeUrl("https://acme-tpyo.invalid", { lang });
    expect(fieldOf(page, "url")).toEqual({
      error,
      isFocused: true,
      isInvalid: true,
    });
    expect(textOf(page)).not.toContain(nothingWrong);
  });

  test("is asked before a sign-in in the terminal, which says what was found", async () => {
    const lines = `url=${fake.origin}\ndatabase=people\nusername=ines@example.com\npassword=x\n`;
    vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([lines]) as never);
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const request = { provider: "odoo", mode: "xhr", scopes: scopesOfMode("xhr") } as const;
    await expect(
      signInAtTerminal(harness.services, request, { fieldsFile: "-" }),
    ).rejects.toMatchObject({ code: "incorrect_username_or_password" });
    expect(said.mock.calls).toEqual([["Found: Odoo 19\n"]]);
  });

  test("is not in the log, which has the cause", async () => {
    harness.logLines.length = 0;
    await typeUrl("https://acme-tpyo.invalid");
    const lines = harness.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ msg }) => msg === "a sign-in was refused")).toMatchObject({
      refusal: "field",
      cause: "HttpUnreachable ENOTFOUND",
    });
    expect(lines.find(({ msg }) => msg === "a sign-in was refused")).not.toHaveProperty("host");
  });

  const others: [string, () => Promise<string>][] = [
    ["a closed port", closedPort],
    ["another web site", () => listen((_request, response) => void response.end("<h1>Hi</h1>"))],
    [
      "a server without TLS",
      async () => (await listen(() => undefined)).replace("http:", "https:"),
    ],
    [
      "a server that leads elsewhere",
      () =>
        listen(
          (_request, response) =>
            void response.writeHead(302, { location: "https://acme.invalid/" }).end(),
        ),
    ],
    ["a failing server", () => listen((_request, response) => void response.writeHead(500).end())],
    [
      "what speaks no HTTP",
      () => listen(({ socket }) => void socket.end("220 mail.example ESMTP\r\n")),
    ],
    [
      "an API of another kind",
      () =>
        listen(
          (_request, response) =>
            void response.setHeader("content-type", "application/json").end('{"result":[]}'),
        ),
    ],
  ];
  test.each(others)(
    "inside of the operator's network reads alike whatever is wrong: %s",
    async (_what, start) => {
      const page = await typeUrl(await start());
      expect(fieldOf(page, "url")).toMatchObject({
        error: inside,
        isFocused: true,
      });
      expect(textOf(page)).not.toContain(nothingWrong);
    },
  );

  test("says of an Odoo that is too old which version it is, also inside", async () => {
    const server_version_info = [12, 0, 0, "final", 0, ""];
    const result = { server_version: "12.0", server_version_info, protocol_version: 1 };
    fake.interfere = ({ path }) =>
      path === "/web/webclient/version_info"
        ? {
            status: 200,
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: null, result }),
          }
        : undefined;
    expect(fieldOf(await typeUrl(fake.origin), "url").error).toBe(
      "This Odoo is version 12. The oldest that can be read is version 14.",
    );
    expect(fake.passwordsTried).toBe(0);
  });
});

describe("a network that tries addresses", () => {
  const tooMany =
    "Too many addresses were tried from your network within an hour. Please try again in an hour.";

  test("finds nothing at twenty in an hour, and no further one is asked for it", async () => {
    for (let index = 0; index < 20; index += 1)
      expect(await errorAt(spell(index), `203.0.113.${index}`)).toBe(absent);
    const asked = vi.mocked(NameResolver.prototype.resolve).mock.calls.length;
    expect(asked).toBeGreaterThanOrEqual(20);
    expect(await errorAt(spell(20), "203.0.113.99")).toBe(tooMany);
    expect(await errorAt(fake.origin)).toBe(tooMany);
    expect(vi.mocked(NameResolver.prototype.resolve).mock.calls.length).toBe(asked);
    expect(fake.requests).toEqual([]);
    expect(await errorAt(spell(21), "198.51.100.7")).toBe(absent);
    harness.clock.advance(3_600);
    expect(await errorAt(spell(22))).toBe(absent);
  });

  test("tries one while colleagues come again to a system that is away", async () => {
    const away = await closedPort();
    for (let index = 0; index < 22; index += 1) expect(await errorAt(away)).toBe(inside);
    for (let index = 1; index < 20; index += 1) expect(await errorAt(spell(index))).toBe(absent);
    expect(await errorAt(spell(20))).toBe(tooMany);
    expect(await errorAt(away)).toBe(inside);
  });

  test("tries one of them two hundred times", async () => {
    const away = await closedPort();
    expect(await errorAt(away)).toBe(inside);
    const addTries = `update sign_in_hours set attempts = attempts || array(
      select service_now() from generate_series(1, 198))`;
    await harness.database.query(addTries);
    expect(await errorAt(away)).toBe(inside);
    expect(await errorAt(away)).toBe(tooMany);
  });

  test("may sign in to what it finds as often as accounts allow", async () => {
    for (let index = 0; index < 22; index += 1)
      await send({
        url: fake.origin,
        database: "people",
        username: `person-${index}@example.com`,
        password,
      });
    expect(fake.passwordsTried).toBe(22);
  });
});

describe("a provider without a probe", () => {
  test.each([
    ["a name that does not exist", async () => "https://acme-tpyo.invalid", absent],
    ["a closed port inside", closedPort, inside],
  ])("says at the field of the address: %s", async (_what, start, error) => {
    const page = await sendTo("whole", await start());
    expect(fieldOf(page, "place")).toMatchObject({ error, isFocused: true });
    expect(textOf(page)).not.toContain(nothingWrong);
  });

  test("does not blame the address once something has answered there", async () => {
    const place = await listen((request, response) =>
      request.url === "/first" ? void response.end("{}") : void request.socket.destroy(),
    );
    const page = await sendTo("whole", place);
    expect(fieldOf(page, "place").error).toBeUndefined();
    expect(textOf(page)).toContain(nothingWrong);
  });

  test("says at the company domain of BambooHR that there is no such one", async () => {
    const typed = { companyDomain: "acme-tpyo", key: password };
    const page = await send(typed, { provider: "bamboohr" });
    expect(fieldOf(page, "companyDomain")).toMatchObject({ error: absent, isFocused: true });
  });

  test("blames a part of an address for the name alone", async () => {
    expect(fieldOf(await sendTo("part", "acme-tpyo"), "place").error).toBe(absent);
    const page = await sendTo("part", await closedPort());
    expect(fieldOf(page, "place").error).toBeUndefined();
    expect(textOf(page)).toContain(nothingWrong);
  });
});
