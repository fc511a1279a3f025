import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, failedWith, rollcall, type CommandResult } from "../support/command-line.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { makePng } from "../support/png.ts";

const clientUrl = "/2023-03-01/management/client";
const unknown = "00000000-00000000-00000000-00000000";

interface Shown {
  client_id: string;
  name: string;
  redirect_uris: string[];
  webhook_uri: string | null;
  webhook_status: string | null;
  event_uri: string | null;
  event_types: string[] | null;
  event_status: string | null;
  require_pkce: boolean;
  requests_per_5_minutes: number | null;
  fields_off: string[];
}

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const run = (...args: string[]): Promise<CommandResult> => rollcall(args, harness.environment);
const runJson = (...args: string[]): Promise<CommandResult> => run(...args, "--json");

const makeClient = (name = "Acme"): Promise<{ id: string; secret: string }> =>
  createClient(harness.environment, { name });

async function statusWith(id: string, secret: string): Promise<number> {
  return (await harness.http.get(clientUrl, { basic: [id, secret] })).status;
}

const shown = async (id: string): Promise<Shown> =>
  (await runJson("client", "show", id)).json<Shown>();

describe("client create", () => {
  test.concurrent("prints the client and its secret, which the API accepts", async () => {
    const made = await run(
      "client",
      "create",
      "--name",
      "Human",
      "--redirect-uri",
      "https://a.example/cb",
      "http://127.0.0.1/cb",
    );
    expect(made.code).toBe(0);
    const [, id = ""] = /^client_id +(\S+)$/m.exec(made.stdout) ?? [];
    const [, secret = ""] = /^client_secret +(\S+)$/m.exec(made.stdout) ?? [];
    expect(secret).toMatch(/^rc_cs_dev_[0-9A-Za-z]{49}$/);
    const reply = await harness.http.get(clientUrl, { basic: [id, secret] });
    expect(reply.body).toMatchObject({
      client_id: id,
      name: "Human",
      redirect_uris: ["https://a.example/cb", "http://127.0.0.1/cb"],
    });
  });

  test.concurrent("advises PKCE, unless it is made a duty or a program reads", async () => {
    const create = ["client", "create", "--name", "Pkce", "--redirect-uri", "https://a.example/cb"];
    const [plain, script, strict] = await Promise.all([
      run(...create),
      runJson(...create),
      run(...create, "--require-pkce"),
    ]);
    const [, id = ""] = /^client_id +(\S+)$/m.exec(plain.stdout) ?? [];
    expect(plain.stderr).toContain(`rollcall client update ${id} --require-pkce`);
    expect([script.stderr, strict.stderr]).toEqual(["", ""]);
    expect(script.json()).toMatchObject({ require_pkce: false });
    expect(strict.stdout).toMatch(/^require_pkce +true$/m);
  });

  test.concurrent("with --json, also as the first argument, prints one object", async () => {
    const made = await run(
      "--json",
      "client",
      "create",
      "--name",
      "Script",
      "--redirect-uri",
      "https://a.example/cb",
    );
    expect(made.code).toBe(0);
    expect(made.json()).toEqual({
      client_id: expect.stringMatching(/^[0-9A-F]{8}(-[0-9A-F]{8}){3}$/),
      client_secret: expect.stringMatching(/^rc_cs_dev_/),
      name: "Script",
      state: "active",
      redirect_uris: ["https://a.example/cb"],
      webhook_uri: null,
      webhook_status: null,
      event_uri: null,
      event_types: null,
      event_status: null,
      poll_resources: ["employees"],
      require_pkce: false,
      requests_per_5_minutes: null,
      allow_sandbox: false,
      fields_off: [],
      logo_url: null,
      brand_color: null,
      purpose: null,
      privacy_url: null,
      support_url: null,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      ended_at: null,
    });
  });

  test.concurrent("takes a window of whole requests alone", async () => {
    const { id } = await makeClient("Window");
    for (const count of ["0", "1.5", "many", "1000001"])
      expect(await run("client", "update", id, "--requests-per-5-minutes", count)).toMatchObject(
        failedWith(2, /--requests-per-5-minutes has to be a whole number from 1 to 1000000/),
      );
  });

  test.concurrent.each([
    [
      "http that is not loopback",
      ["--name", "Acme", "--redirect-uri", "http://acme.example/cb"],
      /redirect-uri/,
    ],
    [
      "a fragment",
      ["--name", "Acme", "--redirect-uri", "https://acme.example/cb#x"],
      /redirect-uri/,
    ],
    [
      "user information",
      ["--name", "Acme", "--redirect-uri", "https://u:p@acme.example/cb"],
      /redirect-uri/,
    ],
    [
      "an address twice",
      ["--name", "Acme", "--redirect-uri", "https://acme.example/cb", "https://acme.example/cb"],
      /redirect-uri/,
    ],
    ["no address", ["--name", "Acme"], /redirect-uri/],
    ["an empty name", ["--name", "", "--redirect-uri", "https://acme.example/cb"], /name/],
    ["no name", ["--redirect-uri", "https://acme.example/cb"], /name/],
    [
      "an unknown option",
      ["--name", "Acme", "--redirect-uri", "https://acme.example/cb", "--colour", "red"],
      /colour/,
    ],
  ])("%s is refused with exit code 2 and no standard output", async (_what, args, message) => {
    expect(await run("client", "create", ...args)).toMatchObject(failedWith(2, message));
  });
});

describe("client list", () => {
  test.concurrent("prints a line for each client and no secret", async () => {
    const [one, two] = [await makeClient("Listed one"), await makeClient("Listed two")];
    const listed = await run("client", "list");
    expect({ code: listed.code, stderr: listed.stderr }).toEqual({ code: 0, stderr: "" });
    const [head = "", ...lines] = listed.stdout.trimEnd().split("\n");
    expect(head).toMatch(/^client_id +name +state +redirect_uris/);
    for (const { id } of [one, two])
      expect(lines.filter((line) => line.startsWith(id))).toHaveLength(1);
    expect(listed.stdout).not.toMatch(/rc_cs_/);
  });

  test.concurrent("with --json prints a list, without the built-in sandbox client", async () => {
    const { id } = await makeClient("Scripted");
    const listed = (await runJson("client", "list")).json<Shown[]>();
    expect(listed.filter(({ client_id: listedId }) => listedId === id)).toEqual([await shown(id)]);
    expect(listed.map(({ name }) => name)).not.toContain("sandbox");
  });
});

describe("client show", () => {
  test.concurrent("prints secrets only with --secrets", async () => {
    const { id, secret } = await makeClient();
    const plain = await run("client", "show", id);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toMatch(new RegExp(`^client_id +${id}$`, "m"));
    expect(plain.stdout).not.toContain("rc_cs_");
    const revealed = (await runJson("client", "show", id, "--secrets")).json<{
      client_secret: string[];
      webhook_secret: string[];
    }>();
    expect(revealed.client_secret).toEqual([secret]);
    expect(
      revealed.webhook_secret.map((text) =>
        Buffer.from(text.replace(/^whsec_/, ""), "base64").toString(),
      ),
    ).toEqual([secret]);
    expect((await run("client", "show", id, "--secrets")).stdout).toContain(secret);
  });

  test.concurrent.each([
    ["unknown", unknown],
    ["malformed", "nonsense"],
  ])(
    "an id that is %s is refused with exit code 1, as a sentence or as JSON",
    async (_what, id) => {
      expect(await run("client", "show", id)).toMatchObject(
        failedWith(1, new RegExp(`^rollcall: .*${id}`)),
      );
      const refused = await runJson("client", "show", id);
      expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" });
      expect(JSON.parse(refused.stderr)).toEqual({
        error: "not_found",
        message: expect.stringContaining(id),
      });
    },
  );
});

describe("client update", () => {
  test.concurrent("changes the named fields and no others", async () => {
    const { id } = await makeClient("Before");
    const before = await shown(id);
    const changes: [string[], Partial<Shown>][] = [
      [["--name", "After"], { name: "After" }],
      [
        ["--redirect-uri", "https://b.example/1", "https://b.example/2"],
        { redirect_uris: ["https://b.example/1", "https://b.example/2"] },
      ],
      [
        ["--webhook-uri", "https://b.example/hook"],
        { webhook_uri: "https://b.example/hook", webhook_status: "active" },
      ],
      [["--require-pkce"], { require_pkce: true }],
      [["--no-require-pkce"], { require_pkce: false }],
      [["--requests-per-5-minutes", "500"], { requests_per_5_minutes: 500 }],
      [["--no-requests-per-5-minutes"], { requests_per_5_minutes: null }],
      [["--no-webhook-uri"], { webhook_uri: null, webhook_status: null }],
      [
        ["--event-uri", "https://b.example/events", "--event-types", "data.ready"],
        {
          event_uri: "https://b.example/events",
          event_types: ["data.ready"],
          event_status: "active",
        },
      ],
      [["--no-event-uri"], { event_uri: null, event_status: null }],
      [["--fields-off", "tax_id"], { fields_off: ["tax_id"] }],
      [["--no-fields-off"], { fields_off: [] }],
    ];
    let expected = before;
    for (const [args, change] of changes) {
      expected = { ...expected, ...change };
      const updated = await runJson("client", "update", id, ...args);
      expect(updated.code).toBe(0);
      expect(updated.json()).toEqual(expected);
    }
    expect(await shown(id)).toEqual(expected);
  });

  test.concurrent("puts a new secret first, and the latest two others stay valid", async () => {
    const { id, secret: oldest } = await makeClient();
    const secrets = [oldest];
    for (let turn = 0; turn < 3; turn += 1) {
      const { client_secret: fresh } = (
        await runJson("client", "update", id, "--rotate-secret")
      ).json<{ client_secret: string }>();
      secrets.unshift(fresh);
    }
    expect(
      (await runJson("client", "show", id, "--secrets")).json<{ client_secret: string[] }>()
        .client_secret,
    ).toEqual(secrets.slice(0, 3));
    expect(await Promise.all(secrets.map((secret) => statusWith(id, secret)))).toEqual([
      200, 200, 200, 401,
    ]);
  });

  test.concurrent("keeps only so many of the newest secrets with --keep-secrets", async () => {
    const { id, secret: first } = await makeClient();
    const { client_secret: second } = (
      await runJson("client", "update", id, "--rotate-secret")
    ).json<{ client_secret: string }>();
    expect(
      (await runJson("client", "update", id, "--keep-secrets", "1")).json(),
    ).not.toHaveProperty("client_secret");
    expect([await statusWith(id, first), await statusWith(id, second)]).toEqual([401, 200]);
    const { client_secret: third } = (
      await runJson("client", "update", id, "--rotate-secret", "--keep-secrets", "1")
    ).json<{ client_secret: string }>();
    expect([await statusWith(id, second), await statusWith(id, third)]).toEqual([401, 200]);
  });

  test.concurrent("refuses invalid arguments with exit code 2 and changes nothing", async () => {
    const { id } = await makeClient();
    const before = await shown(id);
    const refusals: [string[], RegExp][] = [
      [[], /at least one thing/],
      [["--name", " "], /name/],
      [["--webhook-uri", "http://127.0.0.1:4000/"], /webhook-uri/],
      [["--redirect-uri", "javascript:alert(1)"], /redirect-uri/],
      [["--keep-secrets", "0"], /keep-secrets/],
      [["--keep-secrets", "4"], /keep-secrets/],
      [["--keep-secrets", "two"], /keep-secrets/],
    ];
    await Promise.all(
      refusals.map(async ([args, message]) =>
        expect(await run("client", "update", id, ...args)).toMatchObject(failedWith(2, message)),
      ),
    );
    expect(await shown(id)).toEqual(before);
  });

  test.concurrent("refuses an unknown client with exit code 1", async () => {
    expect(await run("client", "update", unknown, "--name", "x")).toMatchObject(
      failedWith(1, new RegExp(unknown)),
    );
  });
});

describe("without a database", () => {
  test.concurrent.each(["127.0.0.1", "localhost"])(
    "a command fails with a sentence and exit code 1, when nothing listens on %s",
    async (host) => {
      const environment = {
        ...harness.environment,
        DATABASE_URL: `postgres://user:hunter2@${host}:1/none`,
      };
      const refused = await rollcall(["client", "list"], environment);
      expect(refused).toMatchObject(failedWith(1, /^rollcall: .*(ECONNREFUSED|database)/));
      expect(refused.stderr).not.toContain("hunter2");
      expect(refused.stderr).not.toContain("at ");
    },
  );

  test.concurrent(
    "a command with an invalid configuration names all missing variables, with exit code 1",
    async () => {
      const refused = await rollcall(["client", "list"], { DATABASE_URL: harness.database.url });
      expect(refused).toMatchObject(failedWith(1, /MASTER_KEYS: [^]*PUBLIC_URL: /));
    },
  );
});

test("an empty list is a sentence for a person and [] with --json", async () => {
  const empty = await createHarness();
  const human = await rollcall(["client", "list"], empty.environment);
  expect({ code: human.code, stdout: human.stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^There is no client yet/),
  });
  const script = await rollcall(["client", "list", "--json"], empty.environment);
  expect({ code: script.code, list: script.json<unknown[]>() }).toEqual({ code: 0, list: [] });
  await empty.close();
});

describe("what the sign-in pages show of a client", () => {
  test.concurrent("is set by create and update, and taken away", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rollcall-logo-"));
    const file = join(folder, "logo.png");
    await writeFile(file, makePng());
    const profile = [
      "--logo",
      file,
      "--purpose",
      "To plan shifts",
      "--support-url",
      "mailto:a@b.example",
      "--brand-color",
      "#8A1F5A",
    ];
    const redirect = ["--redirect-uri", "https://a.example/cb"];
    const made = await runJson("client", "create", "--name", "Shown", ...redirect, ...profile);
    const { client_id: id } = made.json<{ client_id: string }>();
    expect(await shown(id)).toMatchObject({
      logo_url: expect.stringMatching(/\/connect\/logos\/[\w-]{43}\/logo\.png$/),
      purpose: "To plan shifts",
      privacy_url: null,
      support_url: "mailto:a@b.example",
      brand_color: "#8a1f5a",
    });
    const bare = await runJson(
      "client",
      "update",
      id,
      "--no-logo",
      "--no-brand-color",
      "--no-purpose",
      "--no-support-url",
    );
    expect(bare.json()).toMatchObject({
      logo_url: null,
      brand_color: null,
      purpose: null,
      support_url: null,
    });
    await rm(folder, { recursive: true });
  });

  test.concurrent("is refused when the file is no picture, or not there", async () => {
    const { id } = await makeClient();
    const itself = import.meta.filename;
    expect(await run("client", "update", id, "--logo", itself)).toMatchObject(
      failedWith(2, /--logo: is a PNG in base64/),
    );
    expect(await run("client", "update", id, "--logo", "/nowhere.png")).toMatchObject(
      failedWith(2, /--logo: \/nowhere\.png cannot be read/),
    );
  });
});

describe("client end", () => {
  test.concurrent("ends it, once it is meant, and the list has it with --all alone", async () => {
    const [{ id, secret }, beside] = [await makeClient("Leaver"), await makeClient("Stayer")];
    expect(await run("client", "end", id)).toMatchObject(failedWith(2, /give --yes/));
    expect(await statusWith(id, secret)).toBe(200);
    const ended = await runJson("client", "end", id, "--yes");
    expect(ended.json()).toEqual({
      client_id: id,
      name: "Leaver",
      ended_at: expect.any(String) as string,
      connections_to_end: 0,
    });
    expect([await statusWith(id, secret), await statusWith(beside.id, beside.secret)]).toEqual([
      401, 200,
    ]);
    expect((await runJson("client", "end", id)).json()).toEqual(ended.json());
    const listed = async (...more: string[]) =>
      (await runJson("client", "list", ...more))
        .json<{ client_id: string; state: string }[]>()
        .filter((each) => [id, beside.id].includes(each.client_id))
        .map((each) => [each.client_id, each.state]);
    expect(await listed()).toEqual([[beside.id, "active"]]);
    expect(await listed("--all")).toEqual([
      [beside.id, "active"],
      [id, "ending"],
    ]);
  });

  test.concurrent(
    "takes one whose row somebody else changed, and none that is not there",
    async () => {
      const { id } = await makeClient("Changed");
      await harness.database.query(
        `update clients set webhook_uri = 'https://b.example/' where client_id = '${id}'`,
      );
      expect((await runJson("client", "end", id, "--yes")).code).toBe(0);
      expect(await shown(id)).toMatchObject({ state: "ending", webhook_uri: null });
      expect(await run("client", "end", unknown, "--yes")).toMatchObject(
        failedWith(1, /no client has the id/),
      );
    },
  );
});
