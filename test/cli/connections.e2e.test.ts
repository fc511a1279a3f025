import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopesOfMode } from "../../src/model/index.ts";
import {
  createClient,
  createConnectionArgs,
  failedWith,
  rollcall,
  type CommandResult,
} from "../support/command-line.ts";
import type { Reply } from "../support/http-client.ts";
import { makeUsedStateDir } from "../support/program-environment.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const redirectUri = "https://acme.example/callback";
const unknownToken = "01a1fd50-0000-7000-8000-000000000000";
const wide = {
  RATE_LIMIT_OPEN_1M: "10000",
  RATE_LIMIT_OPEN_5M: "10000",
  RATE_LIMIT_GATED_IP_1M: "10000",
  RATE_LIMIT_GATED_CLIENT_5M: "10000",
};

interface Listed {
  token: string;
  provider: string;
  mode: string;
  status: string;
  scopes: string[];
}

let folder: Awaited<ReturnType<typeof makeUsedStateDir>>;
let service: ServiceProcess;
let client: { id: string; secret: string };

beforeAll(async () => {
  folder = await makeUsedStateDir();
  service = await (await startService({ STATE_DIR: folder.stateDir, ...wide })).untilStarted();
  client = await makeClient();
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

/** Runs a command while the service runs. It gets only the state folder, as an operator gives it. */
const run = (args: readonly string[], input = ""): Promise<CommandResult> =>
  rollcall(args, { STATE_DIR: folder.stateDir }, { input });
const runJson = (args: readonly string[], input?: string): Promise<CommandResult> =>
  run([...args, "--json"], input);

const makeClient = (): Promise<{ id: string; secret: string }> =>
  createClient({ STATE_DIR: folder.stateDir }, { redirectUri });

const createArgs = (user: string, { owner = client }: { owner?: { id: string } } = {}): string[] =>
  createConnectionArgs(owner.id, { fields: [`username=${user}`, "password=x"] });

async function exchange(
  { id, secret }: { id: string; secret: string },
  code: string,
): Promise<Reply> {
  return await service.http.post("/2023-03-01/management/token", {
    json: {
      client_id: id,
      client_secret: secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    },
  });
}

/** Makes a connection. A second exchange of the code answers with the id of the token. */
async function connect(owner = client): Promise<{ bearer: string; tokenId: string }> {
  const { code } = (await runJson(createArgs("user_good", { owner }))).json<{ code: string }>();
  const { access_token: bearer } = (await exchange(owner, code)).body as { access_token: string };
  const { token: tokenId } = (await exchange(owner, code)).body as { token: string };
  return { bearer, tokenId };
}

async function listedStatus(tokenId: string): Promise<string | undefined> {
  const listed = (await runJson(["token", "list", "--client", client.id])).json<Listed[]>();
  return listed.find(({ token }) => token === tokenId)?.status;
}

describe("connection create", () => {
  test.concurrent("prints a code that is exchanged like any other", async () => {
    const human = await run(createArgs("user_good"));
    expect({ code: human.code, stderr: human.stderr }).toEqual({ code: 0, stderr: "" });
    const [, code = ""] = /^code +(rc_ac_dev_\S+)$/m.exec(human.stdout) ?? [];
    expect(human.stdout).toMatch(new RegExp(`^redirect_uri +${redirectUri}$`, "m"));
    expect((await exchange(client, code)).status).toBe(201);
  });

  test.concurrent(
    "with --json prints one object; without --scope the token has all scopes of the mode",
    async () => {
      const made = await runJson(createArgs("user_good"));
      expect(made.json()).toEqual({
        code: expect.stringMatching(/^rc_ac_dev_/),
        redirect_uri: redirectUri,
        expires_at: expect.stringMatching(/Z$/),
      });
      const reply = await exchange(client, made.json<{ code: string }>().code);
      expect(reply.body).toMatchObject({
        provider: "sandbox",
        mode: "xhr",
        scopes: scopesOfMode("xhr"),
      });
    },
  );

  test.concurrent("gives the token the scopes of --scope", async () => {
    const scopes = ["/2023-03-01/xhr/company", "/2023-03-01/xhr/identity"];
    const made = await runJson([...createArgs("user_good"), "--scope", scopes.join(" ")]);
    const reply = await exchange(client, made.json<{ code: string }>().code);
    expect(reply.body).toMatchObject({ scopes });
  });

  test.concurrent("--mode official asks for that mode's fields and gives its scopes", async () => {
    const fields = ["username=user_good", "api_key=x"];
    const args = [...createConnectionArgs(client.id, { fields }), "--mode", "official"];
    const reply = await exchange(client, (await runJson(args)).json<{ code: string }>().code);
    expect(reply.body).toMatchObject({ mode: "official", scopes: scopesOfMode("official") });
    const { access_token: bearer } = reply.body as { access_token: string };
    expect(
      (await readWhenReady(service.http, "/2023-03-01/official/company", { bearer })).status,
    ).toBe(200);
  });

  test.concurrent("prints the redirect address to name in the exchange", async () => {
    const made = await runJson([...createArgs("user_good"), "--redirect-uri", redirectUri]);
    expect(made.json()).toMatchObject({ redirect_uri: redirectUri });
  });

  test.concurrent("takes the second factor from --field", async () => {
    const made = await runJson([...createArgs("user_mfa"), "--field", "otp=123456"]);
    expect((await exchange(client, made.json<{ code: string }>().code)).status).toBe(201);
  });

  test.concurrent("reads fields from standard input, each to the end of its line", async () => {
    const args = [...createConnectionArgs(client.id), "--fields-file", "-"];
    const made = await runJson(args, "username=user_mfa\r\npassword= a=b c \r\n\r\notp=123456\r\n");
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
  });

  test.concurrent.each<[string, string, string]>([
    ["user_bad_password", "", "incorrect_username_or_password"],
    ["nobody", "", "incorrect_username_or_password"],
    ["user_mfa", "otp=654321", "incorrect_mfa_or_otp"],
    ["user_captcha", "", "captcha_challenge"],
    ["user_setup_required", "", "additional_account_setup_required"],
    ["user_no_permission", "", "insufficient_permission"],
  ])(
    "a refusal of %s (%s) has exit code 1 and the specification's code %s",
    async (user, otp, refusal) => {
      const script = await runJson([...createArgs(user), ...(otp ? ["--field", otp] : [])]);
      expect({ code: script.code, stdout: script.stdout }).toEqual({ code: 1, stdout: "" });
      expect(JSON.parse(script.stderr)).toEqual({ error: refusal, message: expect.any(String) });
    },
  );

  test.concurrent("a refusal is a sentence for a person", async () => {
    expect(await run(createArgs("user_captcha"))).toMatchObject(
      failedWith(1, /^rollcall: .*captcha_challenge/),
    );
  });

  test.concurrent.each<[string, (args: string[]) => string[], number, RegExp]>([
    [
      "an unknown provider",
      (args) => args.map((word) => (word === "sandbox" ? "nonsense" : word)),
      1,
      /nonsense/,
    ],
    [
      "an unknown client",
      (args) =>
        args.map((word) => (word === client.id ? "00000000-00000000-00000000-00000000" : word)),
      1,
      /00000000-0/,
    ],
    [
      "a redirect address that is not registered",
      (args) => [...args, "--redirect-uri", `${redirectUri}/`],
      1,
      /redirect_uri.* not registered/,
    ],
    ["an unknown mode", (args) => [...args, "--mode", "developer"], 2, /developer.* xhr/],
    [
      "an unknown scope",
      (args) => [...args, "--scope", "/2023-03-01/xhr/everything"],
      2,
      /everything/,
    ],
    ["a value without a name", (args) => [...args, "--field", "nonsense"], 2, /name=value/],
    [
      "a field that the form does not have",
      (args) => [...args, "--field", "colour=red"],
      2,
      /colour.*username/,
    ],
    ["a missing field, without a terminal,", (args) => args.slice(0, -2), 2, /password/],
    [
      "a missing second factor, without a terminal,",
      (args) => args.map((word) => (word === "username=user_good" ? "username=user_mfa" : word)),
      2,
      /otp/,
    ],
    [
      "a path for --fields-file",
      (args) => [...args, "--fields-file", "/etc/hostname"],
      2,
      /--fields-file -/,
    ],
    [
      "no provider",
      (args) => args.filter((word) => word !== "--provider" && word !== "sandbox"),
      2,
      /--provider/,
    ],
  ])("%s is refused", async (_what, change, exitCode, message) => {
    expect(await run(change(createArgs("user_good")))).toMatchObject(failedWith(exitCode, message));
  });

  test.concurrent("scopes of the other mode are refused", async () => {
    const refused = await run([
      ...createArgs("user_good"),
      "--scope",
      "/2023-03-01/official/company",
    ]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/scope/);
  });

  test.concurrent(
    "a secret of a real provider is refused as an argument and not repeated",
    async () => {
      const refused = await run(
        createConnectionArgs(client.id, { provider: "odoo", fields: ["password=hunter2"] }),
      );
      expect(refused).toMatchObject(failedWith(2, /password is a secret/));
      expect(refused.stderr).not.toContain("hunter2");
    },
  );

  test.concurrent("a refusal leaves no connection", async () => {
    const owner = await makeClient();
    await run([
      ...createArgs("user_good", { owner }),
      "--redirect-uri",
      "https://elsewhere.example/",
    ]);
    await run(createArgs("user_captcha", { owner }));
    const actions = (await runJson(["audit", "list", "--client", owner.id])).json<
      { action: string }[]
    >();
    expect(actions.map(({ action }) => action)).toEqual(["client.created"]);
  });
});

describe("token list", () => {
  test.concurrent(
    "prints ids and status, with the number of scopes for a person and the scopes for a script",
    async () => {
      const owner = await makeClient();
      const { bearer, tokenId } = await connect(owner);
      const human = await run(["token", "list", "--client", owner.id]);
      expect(human.code).toBe(0);
      expect(human.stdout).toMatch(
        new RegExp(`^${tokenId} +sandbox +xhr +active +${scopesOfMode("xhr").length} `, "m"),
      );
      expect(human.stdout).not.toContain(bearer);
      expect((await runJson(["token", "list", "--client", owner.id])).json()).toEqual([
        {
          token: tokenId,
          provider: "sandbox",
          mode: "xhr",
          status: "active",
          scopes: scopesOfMode("xhr"),
          created_at: expect.stringMatching(/Z$/),
          reference: null,
          metadata: null,
        },
      ]);
    },
  );

  test.concurrent("has what the client calls a connection, and finds it by that", async () => {
    const owner = await makeClient();
    const labelled = ["--reference", "customer 4711", "--metadata", '{"plan":"team"}'];
    const made = await runJson([...createArgs("user_good", { owner }), ...labelled, "--exchange"]);
    const { token } = made.json<{ token: string }>();
    await connect(owner);
    const list = ["token", "list", "--client", owner.id];
    const found = await runJson([...list, "--reference", "customer 4711", "--status", "active"]);
    expect(found.json()).toMatchObject([
      { token, reference: "customer 4711", metadata: { plan: "team" } },
    ]);
    expect((await run(list)).stdout).toContain("customer 4711");
    expect((await runJson([...list, "--provider", "odoo"])).json()).toEqual([]);
    expect((await runJson([...list, "--since", "1h"])).json()).toHaveLength(2);
    expect((await runJson([...list, "--until", "1h"])).json()).toEqual([]);
    expect(await run([...list, "--status", "ended"])).toMatchObject(failedWith(2, /--status/));
    const refused = await run([...createArgs("user_good", { owner }), "--metadata", "[1]"]);
    expect(refused).toMatchObject(failedWith(2, /--metadata: has to be a JSON object/));
  });

  test.concurrent(
    "prints a sentence for a client without tokens and refuses an unknown client",
    async () => {
      const { id } = await makeClient();
      expect(await run(["token", "list", "--client", id])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/no token/),
      });
      expect((await runJson(["token", "list", "--client", id])).json()).toEqual([]);
      expect(await run(["token", "list", "--client", "nobody"])).toMatchObject(
        failedWith(1, /nobody/),
      );
      const demo = (await runJson(["demo"])).json<{ client_id: string }>();
      expect((await runJson(["token", "list"])).json()).toEqual(
        (await runJson(["token", "list", "--client", demo.client_id])).json(),
      );
    },
  );
});

describe("token disconnect", () => {
  test.concurrent("ends the token at once, and a second time changes nothing", async () => {
    const { bearer, tokenId } = await connect();
    expect((await service.http.get("/2023-03-01/xhr/identity", { bearer })).status).toBe(200);
    expect(await run(["token", "disconnect", tokenId])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(tokenId),
    });
    expect((await service.http.get("/2023-03-01/xhr/identity", { bearer })).status).toBe(403);
    const again = await runJson(["token", "disconnect", tokenId]);
    expect({ code: again.code, printed: again.json() }).toEqual({
      code: 0,
      printed: { token: tokenId, disconnected: true },
    });
    expect(await listedStatus(tokenId)).toBe("disconnected");
  });

  test.concurrent("an unknown id has exit code 1 and an invalid id has 2", async () => {
    expect(await run(["token", "disconnect", unknownToken])).toMatchObject(
      failedWith(1, /not known/),
    );
    expect(await run(["token", "disconnect", "rc_at_dev_hunter2"])).toMatchObject(
      failedWith(2, /by its id/),
    );
  });
});

describe("sandbox fail and connection reauth", () => {
  test.concurrent(
    "fetches are refused with the code until the end user signs in again; then the token works again",
    async () => {
      const { bearer, tokenId } = await connect();
      const failed = await runJson([
        "sandbox",
        "fail",
        "--token",
        tokenId,
        "--code",
        "captcha_challenge",
      ]);
      expect({ code: failed.code, printed: failed.json() }).toEqual({
        code: 0,
        printed: [{ token: tokenId, change: "fail with captcha_challenge" }],
      });
      const refused = await readWhenReady(service.http, "/2023-03-01/xhr/company", { bearer });
      expect(refused.body).toMatchObject({
        error: "authentication_error",
        code: "captcha_challenge",
      });
      expect(await listedStatus(tokenId)).toBe("reauthentication_required");

      const reauth = [
        "connection",
        "reauth",
        "--token",
        tokenId,
        "--field",
        "password=x",
        "--field",
      ];
      expect(await run([...reauth, "username=user_bad_password"])).toMatchObject(
        failedWith(1, /incorrect_username_or_password/),
      );
      expect((await service.http.get("/2023-03-01/xhr/company", { bearer })).status).toBe(401);
      const revived = await runJson([...reauth, "username=user_good"]);
      expect({ code: revived.code, printed: revived.json() }).toEqual({
        code: 0,
        printed: { token: tokenId, status: "active" },
      });
      expect(
        (await readWhenReady(service.http, "/2023-03-01/xhr/company", { bearer })).status,
      ).toBe(200);
      expect(await listedStatus(tokenId)).toBe("active");
    },
  );

  test.concurrent(
    "people and rights are set, and a sign-in of the sandbox heals a failure",
    async () => {
      const { bearer, tokenId } = await connect();
      const of = (name: string, ...options: string[]) =>
        runJson(["sandbox", name, "--token", tokenId, ...options]);
      const file = join(await mkdtemp(join(tmpdir(), "records-")), "records.json");
      const person = { remote_id: "e1", last_name: "Byron", tax_id: "1" };
      await writeFile(file, JSON.stringify({ employees: [person] }));
      await of("fail", "--code", "captcha_challenge");
      expect((await of("set", "--file", file)).json()).toEqual([
        { token: tokenId, change: "set records" },
      ]);
      await of("rights", "--limited", "tax_id");
      expect((await of("sign-in")).json()).toEqual([{ token: tokenId, change: "sign in again" }]);
      const read = await readWhenReady(service.http, "/2023-03-01/xhr/employees", { bearer });
      expect(read.body).toMatchObject([{ remote_id: "e1", tax_id: null }]);
      await writeFile(file, JSON.stringify({ employees: [{ ...person, start_date: "x" }] }));
      expect(await of("set", "--file", file)).toMatchObject(
        failedWith(1, /employees.0.start_date/),
      );
      expect(await of("rights", "--limited", "last_name")).toMatchObject(
        failedWith(2, /limited.0/),
      );
    },
  );

  test.concurrent.each<[string, string[], number, RegExp]>([
    [
      "an unknown code",
      ["sandbox", "fail", "--token", unknownToken, "--code", "no_valid_accounts"],
      2,
      /no_valid_accounts/,
    ],
    [
      "a failure of an unknown token",
      ["sandbox", "fail", "--token", unknownToken, "--code", "captcha_challenge"],
      1,
      /no sandbox connection/,
    ],
    [
      "an advance of an unknown token",
      ["sandbox", "advance", "--token", unknownToken],
      1,
      /no sandbox connection/,
    ],
    [
      "a sign-in for an unknown token",
      [
        "connection",
        "reauth",
        "--token",
        unknownToken,
        "--field",
        "username=user_good",
        "password=x",
      ],
      1,
      /not known/,
    ],
    [
      "a sign-in for an invalid id",
      ["connection", "reauth", "--token", "x", "--field", "username=user_good", "password=x"],
      2,
      /by its id/,
    ],
  ])("%s is refused", async (_what, args, exitCode, message) => {
    expect(await run(args)).toMatchObject(failedWith(exitCode, message));
  });
});

describe("audit list", () => {
  test.concurrent(
    "shows the newest entries of a client first, with ids and no other data",
    async () => {
      const owner = await makeClient();
      const { bearer, tokenId } = await connect(owner);
      await run(["sandbox", "fail", "--token", tokenId, "--code", "captcha_challenge"]);
      await run(["client", "update", owner.id, "--name", "Hunter Two", "--rotate-secret"]);
      await service.http.post("/2023-03-01/management/disconnect", { bearer });
      const entries = (await runJson(["audit", "list", "--client", owner.id])).json<
        { action: string; client_id: string; token: string | null }[]
      >();
      expect(entries.map(({ action }) => action)).toEqual([
        "token.disconnected",
        "client.updated",
        "sandbox.changed",
        "code.replayed",
        "token.issued",
        "connection.created",
        "client.created",
      ]);
      expect(entries.every(({ client_id: id }) => id === owner.id)).toBe(true);
      expect(entries.filter(({ token }) => token === tokenId).map(({ action }) => action)).toEqual([
        "token.disconnected",
        "sandbox.changed",
        "code.replayed",
        "token.issued",
        "connection.created",
      ]);
      const human = await run(["audit", "list", "--client", owner.id]);
      expect(human.stdout).toMatch(/^id +at +action +client_id/);
      for (const text of [human.stdout, JSON.stringify(entries)])
        expect(text).not.toMatch(/Hunter|rc_/);
      expect(
        (await runJson(["audit", "list", "--limit", "1", "--client", owner.id])).json(),
      ).toEqual(entries.slice(0, 1));
    },
  );

  test.concurrent.each(["0", "many"])("refuses a limit of %s with exit code 2", async (limit) => {
    expect(await run(["audit", "list", "--limit", limit])).toMatchObject(failedWith(2, /--limit/));
  });
});
