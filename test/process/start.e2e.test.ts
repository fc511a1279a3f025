import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { rollcall } from "../support/command-line.ts";
import { listCasesOf } from "../support/data-endpoints.ts";
import { untilNoProcessOf } from "../support/processes.ts";
import { makeStateDir } from "../support/program-environment.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

interface Demo {
  base_url: string;
  client_id: string;
  client_secret: string;
  redirect_uri: string;
  sandbox_token: string;
}

const range = { start_date: "2026-01-01", end_date: "2026-02-28" };
const xhr = (path: string): string => `/2023-03-01/xhr/${path}`;

function readDemo(stateDir: string): Demo {
  return JSON.parse(readFileSync(join(stateDir, "demo.json"), "utf8")) as Demo;
}

function secretsOf(stateDir: string): string[] {
  const { client_secret: secret, sandbox_token: token } = readDemo(stateDir);
  const keys = JSON.parse(readFileSync(join(stateDir, "master-keys.json"), "utf8")) as {
    master_keys: { key: string }[];
  };
  const { password } = JSON.parse(readFileSync(join(stateDir, "postgres-login.json"), "utf8")) as {
    password: string;
  };
  return [secret, token, password, ...keys.master_keys.map(({ key }) => key)];
}

describe("local mode, from the first start to a restart", () => {
  let folder: Awaited<ReturnType<typeof makeStateDir>>;
  let service: ServiceProcess;
  let demo: Demo;
  let employees: { id: string }[];
  let hadDemoWhenReady: boolean;

  beforeAll(async () => {
    folder = await makeStateDir();
    service = await startService({ STATE_DIR: folder.stateDir });
    hadDemoWhenReady = existsSync(join(folder.stateDir, "demo.json"));
    await service.untilStarted();
    demo = readDemo(folder.stateDir);
  });
  afterAll(async () => {
    await service.stop();
    await folder.remove();
  });

  test("it says that it is ready only when the demo values and the sandbox token are there", () => {
    expect(hadDemoWhenReady).toBe(true);
  });

  test("one role of the database for everything is no reason for a warning", () => {
    expect(service.output).not.toContain("owns the tables");
  });

  test("demo.json has its five values and only its owner can read it", () => {
    expect(Object.keys(demo).sort()).toEqual([
      "base_url",
      "client_id",
      "client_secret",
      "redirect_uri",
      "sandbox_token",
    ]);
    expect(statSync(join(folder.stateDir, "demo.json")).mode & 0o777).toBe(0o600);
    expect(demo.base_url).toBe(service.baseUrl);
    expect(demo.client_id).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{8}){3}$/);
    expect(demo.client_secret).toMatch(/^rc_cs_dev_[0-9A-Za-z]{49}$/);
    expect(demo.sandbox_token).toMatch(/^rc_at_dev_[0-9A-Za-z]{49}$/);
  });

  test("the master key lies in the folder, and only its owner can read it", () => {
    expect(statSync(join(folder.stateDir, "master-keys.json")).mode & 0o777).toBe(0o600);
  });

  test("providers lists the sandbox in both modes, without a credential", async () => {
    const reply = await service.http.get("/providers");
    expect(reply.status).toBe(200);
    const listed = reply.body as { mode: string; providers: string[] }[];
    expect(listed.map(({ mode }) => mode).sort()).toEqual(["official", "xhr"]);
    for (const { providers } of listed) expect(providers).toContain("sandbox");
  });

  test("identity is there at once", async () => {
    const reply = await service.http.get(xhr("identity"), { bearer: demo.sandbox_token });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      name: expect.stringMatching(/./),
      email: expect.stringContaining("@"),
    });
  });

  test("employees are 202 first, and then at least thirty", async () => {
    const first = await service.http.get(xhr("employees"), { bearer: demo.sandbox_token });
    expect(first.status).toBe(202);
    expect(first.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    expect(first.body).toEqual({ message: expect.stringMatching(/./) });
    const reply = await readWhenReady(service.http, xhr("employees"), {
      bearer: demo.sandbox_token,
    });
    expect(reply.status).toBe(200);
    employees = reply.body as { id: string }[];
    expect(employees.length).toBeGreaterThanOrEqual(30);
  });

  const others = listCasesOf("xhr").filter(({ path }) => path !== "employees");
  test.concurrent.each(others)(
    "$path are 202 first, and then a list that holds some",
    async ({ path, query }) => {
      const options = { bearer: demo.sandbox_token, query };
      expect((await service.http.get(xhr(path), options)).status).toBe(202);
      const reply = await readWhenReady(service.http, xhr(path), options);
      expect(reply.status).toBe(200);
      expect((reply.body as unknown[]).length).toBeGreaterThan(0);
    },
  );

  test("payslips are there for an id of payruns", async () => {
    const payruns = await readWhenReady(service.http, xhr("payruns"), {
      bearer: demo.sandbox_token,
      query: range,
    });
    const [payrun] = payruns.body as { id: string }[];
    const url = xhr(`payruns/${payrun?.id ?? ""}`);
    expect((await service.http.get(url, { bearer: demo.sandbox_token })).status).toBe(202);
    const reply = await readWhenReady(service.http, url, { bearer: demo.sandbox_token });
    expect(reply.status).toBe(200);
    expect((reply.body as { payrun_id: string }[]).map(({ payrun_id: id }) => id)).toContain(
      payrun?.id,
    );
  });

  test("a token that is wrong is refused with the three fields", async () => {
    const reply = await service.http.get(xhr("employees"), { bearer: mintCredential("at", "dev") });
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({
      error: "authentication_error",
      message: expect.any(String),
      code: "reauthentication_required",
    });
  });

  test("the demo client's credentials and redirect address are those of a client", async () => {
    const reply = await service.http.get("/2023-03-01/management/client", {
      basic: [demo.client_id, demo.client_secret],
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      client_id: demo.client_id,
      redirect_uris: [demo.redirect_uri],
    });
  });

  test("a restart keeps the demo values, the data, the tokens and what was disconnected", async () => {
    const [kept, ended] = await Promise.all([
      connect(service, demo, folder.stateDir),
      connect(service, demo, folder.stateDir),
    ]);
    await service.http.post("/2023-03-01/management/disconnect", { bearer: ended });
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    for (const secret of [...secretsOf(folder.stateDir), kept, ended])
      expect(service.output).not.toContain(secret);

    service = await (await startService({ STATE_DIR: folder.stateDir })).untilStarted();
    expect(readDemo(folder.stateDir)).toEqual({ ...demo, base_url: service.baseUrl });
    const reply = await service.http.get(xhr("employees"), { bearer: demo.sandbox_token });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(employees);
    expect((await service.http.get(xhr("identity"), { bearer: kept })).status).toBe(200);
    expect((await service.http.get(xhr("identity"), { bearer: ended })).status).toBe(403);
    expect(
      (
        await service.http.get("/2023-03-01/management/client", {
          basic: [demo.client_id, demo.client_secret],
        })
      ).status,
    ).toBe(200);
  });

  test("a demo client that was ended stays so: the next start makes another one, and says so", async () => {
    const before = readDemo(folder.stateDir);
    const ended = await rollcall(["client", "end", before.client_id, "--yes"], {
      STATE_DIR: folder.stateDir,
    });
    expect(ended.code).toBe(0);
    await service.stop();
    service = await (await startService({ STATE_DIR: folder.stateDir })).untilStarted();
    const after = readDemo(folder.stateDir);
    expect(service.output).toContain("the demo client was ended; a new one takes its place");
    const statuses = [before, after].map(async ({ client_id, client_secret }) => {
      const basic: [string, string] = [client_id, client_secret];
      return (await service.http.get("/2023-03-01/management/client", { basic })).status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 200]);
    expect(after.sandbox_token).toBe(before.sandbox_token);
  });

  test("nothing is left running when it was stopped", async () => {
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await untilNoProcessOf(folder.stateDir);
  });

  test("neither what it wrote nor the log of its Postgres holds a secret", () => {
    const texts = [service.output, readFileSync(join(folder.stateDir, "postgres.log"), "utf8")];
    for (const secret of secretsOf(folder.stateDir))
      for (const text of texts) expect(text).not.toContain(secret);
  });
});

/** An access token of the demo client, made as an operator makes one. */
async function connect(service: ServiceProcess, demo: Demo, stateDir: string): Promise<string> {
  const made = await rollcall(
    [
      "connection",
      "create",
      "--json",
      "--client",
      demo.client_id,
      "--provider",
      "sandbox",
      "--field",
      "username=user_good",
      "--field",
      "password=x",
    ],
    { STATE_DIR: stateDir },
  );
  const { code } = made.json<{ code: string }>();
  const json = {
    client_id: demo.client_id,
    client_secret: demo.client_secret,
    grant_type: "authorization_code",
    code,
    redirect_uri: demo.redirect_uri,
  };
  const reply = await service.http.post("/2023-03-01/management/token", { json });
  return (reply.body as { access_token: string }).access_token;
}

describe("two starts at once on one folder", () => {
  let folder: Awaited<ReturnType<typeof makeStateDir>>;
  let services: ServiceProcess[];

  beforeAll(async () => {
    folder = await makeStateDir();
    const start = async (): Promise<ServiceProcess> =>
      await (await startService({ STATE_DIR: folder.stateDir })).untilStarted();
    services = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await folder.remove();
  });

  test("both take the credentials of demo.json", async () => {
    const demo = readDemo(folder.stateDir);
    for (const service of services) {
      expect((await service.http.get(xhr("identity"), { bearer: demo.sandbox_token })).status).toBe(
        200,
      );
      expect(
        (
          await service.http.get("/2023-03-01/management/client", {
            basic: [demo.client_id, demo.client_secret],
          })
        ).status,
      ).toBe(200);
    }
  });

  test("they make one demo client", async () => {
    const listed = await rollcall(["client", "list", "--json"], { STATE_DIR: folder.stateDir });
    expect(listed.json<{ client_id: string }[]>().map(({ client_id: id }) => id)).toEqual([
      readDemo(folder.stateDir).client_id,
    ]);
  });

  test("the second serves on when the first ends, and nothing is left when both have ended", async () => {
    const demo = readDemo(folder.stateDir);
    const basic: [string, string] = [demo.client_id, demo.client_secret];
    const [owner, other] = services[0]?.output.includes("embedded Postgres is ready")
      ? services
      : services.toReversed();
    expect(await owner?.stop()).toEqual({ code: 0, signal: null });
    await expect
      .poll(
        async () => (await other?.http.get("/2023-03-01/management/client", { basic }))?.status,
        { interval: 1_000 },
      )
      .toBe(200);
    expect(await other?.stop()).toEqual({ code: 0, signal: null });
    await untilNoProcessOf(folder.stateDir);
  });
});
