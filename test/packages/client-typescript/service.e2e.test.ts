import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { main } from "../../../packages/client-typescript/src/commands.ts";
import {
  apiVersion,
  memoryEtags,
  memorySeen,
  receiveWebhook,
  Rollcall,
  type Connected,
  type SignIn,
  type Webhook,
} from "../../../packages/client-typescript/src/index.ts";
import { ConnectVisitor } from "../../support/connect-visitor.ts";
import { findProgram, nodeOf, nodeVersions } from "../../support/machine-node.ts";
import { installPackedClient } from "../../support/packed-client.ts";
import { makeUsedStateDir, projectDir } from "../../support/program-environment.ts";
import { Receiver } from "../../support/receiver.ts";
import { freePort } from "../../support/redis-server.ts";
import { startService, type ServiceProcess } from "../../support/service-process.ts";

// The library in front of a service as a developer has it on the own machine, and the package in a project of a stranger.

const run = promisify(execFile);
const otherRuntimes = [
  ["Deno", findProgram("deno"), ["run", "--allow-net", "--allow-env", "--allow-read"]],
  ["Bun", findProgram("bun"), ["run"]],
] as const;
for (const [name, program] of otherRuntimes)
  if (!program)
    process.stdout.write(
      `The tour of the library on ${name} is left out: it is not in the PATH.\n`,
    );
/** What the tour is run with, by the name of the runtime. */
const runtimes: (readonly [name: string, program: string, args: readonly string[]])[] = [
  ...nodeVersions.map((version) => [`Node ${version}`, nodeOf(version), []] as const),
  ...otherRuntimes.flatMap(([name, program, args]) =>
    program ? [[name, program, args] as const] : [],
  ),
];
const manifest = JSON.parse(
  readFileSync(join(projectDir, "packages/client-typescript/package.json"), "utf8"),
) as { version: string; private: boolean; license: string; dependencies?: object };
let folder: Awaited<ReturnType<typeof makeUsedStateDir>>;
let service: ServiceProcess;
let project: string;
let packed: string[];
let env: Record<string, string>;
let rollcall: Rollcall;
let secret: string;
let redirectUri: string;
/** The requests of the library, since a test began to count. */
let asked: { method: string; path: string; status: number }[] = [];

const countingFetch: typeof fetch = async (url, request) => {
  const reply = await fetch(url, request);
  const { pathname } = new URL(url as string);
  asked.push({ method: request?.method ?? "GET", path: pathname, status: reply.status });
  return reply;
};
const lastAsked = (name: string): number[] =>
  asked.filter(({ path }) => path.endsWith(name)).map(({ status }) => status);

beforeAll(async () => {
  folder = await makeUsedStateDir();
  [project, service] = await Promise.all([
    mkdtemp(join(tmpdir(), "rollcall-client-")),
    startService({
      STATE_DIR: folder.stateDir,
      RATE_LIMIT_OPEN_1M: "1000",
      RATE_LIMIT_OPEN_5M: "1000",
      RATE_LIMIT_GATED_CLIENT_5M: "1000",
      RATE_LIMIT_GATED_IP_1M: "1000",
    }),
  ]);
  packed = await installPackedClient(project);
  await service.untilStarted();
  const demo = JSON.parse(readFileSync(join(folder.stateDir, "demo.json"), "utf8")) as Record<
    "base_url" | "client_id" | "client_secret" | "redirect_uri",
    string
  >;
  secret = demo.client_secret;
  redirectUri = demo.redirect_uri;
  env = {
    ROLLCALL_URL: demo.base_url,
    ROLLCALL_CLIENT_ID: demo.client_id,
    ROLLCALL_CLIENT_SECRET: secret,
  };
  rollcall = new Rollcall({
    url: `${demo.base_url}/`,
    clientId: demo.client_id,
    clientSecret: secret,
    fetch: countingFetch,
    etags: memoryEtags(),
  });
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
  await rm(project, { recursive: true, force: true });
});

/** Signs in as the end user does, and gives the address that the browser is led back to. */
async function signIn({ url }: Pick<SignIn, "url">, user = "user_good"): Promise<string> {
  const visitor = new ConnectVisitor(service.baseUrl);
  const page = await visitor.begin(url.slice(service.baseUrl.length));
  const seen = await visitor.submit(page, { username: user, password: "anything" });
  return seen.left ?? `${seen.status} ${seen.path}`;
}

describe("a sign-in", () => {
  const scopes = ["employees", "identity"] as const;

  test.each(["signInLink", "oneTimeLink"] as const)(
    "by %s leads to a token, and a second exchange says which one it is",
    async (name) => {
      const begun = await rollcall[name]({
        redirect_uri: redirectUri,
        scopes,
        provider: "sandbox",
      });
      const callback = await signIn(begun);
      const connected = await rollcall.finishSignIn(callback, begun);
      expect(connected).toMatchObject({
        provider: "sandbox",
        scopes: ["/2023-03-01/xhr/employees", "/2023-03-01/xhr/identity"],
      });
      expect(await rollcall.connection(connected).identity()).toHaveProperty("email");
      await expect(rollcall.finishSignIn(callback, begun)).rejects.toMatchObject({
        code: "conflict",
        token: connected.token,
      });
    },
  );

  test("that was cancelled, or had a wrong verifier, says so", async () => {
    const begun = await rollcall.signInLink({ redirect_uri: redirectUri, scopes, sandbox: true });
    const callback = await signIn(begun);
    const other = { ...begun, verifier: "x".repeat(43) };
    await expect(rollcall.finishSignIn(callback, other)).rejects.toMatchObject({
      code: "invalid_grant",
      status: 400,
    });
    const visitor = new ConnectVisitor(service.baseUrl);
    const page = await visitor.open(begun.url.slice(service.baseUrl.length));
    const { left = "" } = await visitor.send(page, "decline");
    await expect(rollcall.finishSignIn(left, begun)).rejects.toMatchObject({
      code: "access_denied",
    });
  });

  test("again lets the same access token work", async () => {
    const made = await rollcall.sandbox.connect({ scenario: "user_expired" });
    const connection = rollcall.connection(made);
    await expect(connection.employees()).rejects.toMatchObject({
      code: "reauthentication_required",
      asksForSignIn: true,
    });
    const again = await rollcall.linkToSignInAgain({
      token: made.token,
      redirect_uri: redirectUri,
    });
    rollcall.finishSignInAgain(await signIn(again), again);
    expect(await connection.employees()).not.toHaveLength(0);
  });
});

/** Every operation, by the method of the library that asks for it. Answers other than a success count, too. */
const range = { start_date: "2026-01-01", end_date: "2026-01-31" };
const once = { asksOnce: true };
type Ask = (connected: Connected & { delivery: string }) => Promise<unknown>;
const dataMethods: Ask[] = [
  (connected) => rollcall.connection(connected).company(once),
  (connected) => rollcall.connection(connected).employee({ id: "unknown" }, once),
  (connected) => rollcall.connection(connected).employees({}, once),
  (connected) => rollcall.connection(connected).groups(once),
  (connected) => rollcall.connection(connected).identity(once),
  (connected) => rollcall.connection(connected).payruns(range, once),
  (connected) => rollcall.connection(connected).payslips({ payrun_id: "unknown" }, once),
  (connected) => rollcall.connection(connected).payslips(range, once),
  (connected) => rollcall.connection(connected).timeOffBalances(once),
  (connected) => rollcall.connection(connected).timeOffEntries(range, once),
  (connected) => rollcall.connection(connected).timesheets(range, once),
  (connected) => rollcall.connection(connected).workLocations(once),
];
const otherMethods: Ask[] = [
  () => rollcall.providers(),
  () => rollcall.client(),
  () => rollcall.updateClient({ purpose: null }),
  () => rollcall.problems(),
  () => rollcall.tokens({ limit: 1 }).next(),
  ({ token }) => rollcall.token(token),
  ({ token }) => rollcall.receipt(token),
  ({ token }) => rollcall.export(token),
  () => rollcall.deliveries().next(),
  ({ delivery }) => rollcall.delivery(delivery),
  ({ delivery }) => rollcall.replayDelivery(delivery),
  () => rollcall.events().next(),
  () => rollcall.oneTimeLink({ redirect_uri: redirectUri, scopes: ["employees"] }),
  () => rollcall.finishSignIn("?code=x&state=s", { state: "s", verifier: "", redirect_uri: "" }),
  () => rollcall.sandbox.connect(),
  ({ token }) => rollcall.sandbox.state(token),
  ({ token }) => rollcall.sandbox.advance(token),
  ({ token }) => rollcall.sandbox.poll(token),
  ({ token }) => rollcall.sandbox.sendWebhook(token, once),
  ({ token }) => rollcall.sandbox.signIn(token),
  ({ token }) => rollcall.sandbox.setRights(token, {}),
  ({ token }) => rollcall.sandbox.setRecords(token, {}),
  ({ token }) => rollcall.sandbox.fail(token, { code: "captcha_challenge" }),
  (connected) => rollcall.connection(connected).introspect(),
  (connected) => rollcall.connection(connected).disconnect(),
];
/** Whether a service is up is a question of its operator. */
const ofOperators = ["GET /healthz", "GET /readyz"];

test("every operation of the description has its method", async () => {
  const delivery = "01a1fd74-984d-7214-93ab-96bf3c448f55";
  const [xhr, official] = await Promise.all([
    rollcall.sandbox.connect(),
    rollcall.sandbox.connect({ mode: "official" }),
  ]);
  asked = [];
  for (const ask of dataMethods) await ask({ ...official, delivery }).catch(() => undefined);
  for (const ask of [...dataMethods, ...otherMethods])
    await ask({ ...xhr, delivery }).catch(() => undefined);
  const { paths } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const isAsked = (operation: string): boolean => {
    const parts = operation.split(/[ /]/);
    return asked.some(({ method, path }) => {
      const others = `${method} ${path}`.split(/[ /]/);
      const isSame = (part: string, index: number): boolean =>
        part.startsWith("{") || part === others[index];
      return others.length === parts.length && parts.every(isSame);
    });
  };
  const missing = described.filter((operation) => !isAsked(operation));
  expect(missing).toEqual(ofOperators);
});

describe("data", () => {
  test("comes with one request when the service holds the reply, and is not sent twice", async () => {
    const connection = rollcall.connection(await rollcall.sandbox.connect());
    asked = [];
    const first = await connection.employees();
    expect(first.length).toBeGreaterThan(10);
    expect(await connection.employees()).toEqual(first);
    expect(lastAsked("/employees")).toEqual([200, 304]);
    const payruns = await connection.payruns(range);
    const payslips = await connection.payslips({ payrun_id: payruns[0]?.id ?? "" });
    expect(payslips[0]?.payrun_id).toBe(payruns[0]?.id);
  });

  test("ends with the connection, and an error has the id of its request", async () => {
    const connection = rollcall.connection(await rollcall.sandbox.connect());
    expect(await connection.disconnect()).toEqual({ disconnected: true });
    await expect(connection.groups()).rejects.toMatchObject({
      code: "forbidden",
      requestId: expect.stringMatching(/\S+/) as string,
    });
    const stranger = rollcall.connection({ access_token: "mistyped", token: "unknown" });
    await expect(stranger.groups()).rejects.toMatchObject({ code: "wrong_credentials" });
  });
});

/** The client's webhooks go to the receiver, whose address a command is told, or the service itself. */
async function withReceiver<Result>(
  work: (receiver: Receiver) => Promise<Result>,
): Promise<Result> {
  const receiver = await Receiver.start();
  try {
    return await work(receiver);
  } finally {
    await receiver.close();
  }
}

test("a webhook of the service is received, once", async () => {
  await withReceiver(async (receiver) => {
    await rollcall.updateClient({ webhook_uri: receiver.url });
    const made = await rollcall.sandbox.connect();
    await rollcall.sandbox.sendWebhook(made.token);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    const { headers, bytes: body } = receiver.last;
    const taken: Webhook[] = [];
    const options = { secret, seen: memorySeen() };
    const receive = () => receiveWebhook({ headers, body }, options, (one) => taken.push(one));
    expect([await receive(), await receive()]).toEqual([204, 204]);
    expect(taken).toMatchObject([{ type: "employees.changed", token: made.token }]);
    await rollcall.connection(made).disconnect();
  });
});

const isWebhook = (note: string): boolean => note.includes('"employees.changed"');

test("the command triggers a webhook of the sandbox and brings it to this machine", async () => {
  await withReceiver(async (receiver) => {
    const said: string[] = [];
    const notes: string[] = [];
    const note = (line: string): void => void notes.push(line);
    const surroundings = { env, note, print: (line: string) => void said.push(line) };
    const args = ["listen", "--forward-to", receiver.url, "--every", "1"];
    const ending = new AbortController();
    const listening = main(args, { env, note, print: note, signal: ending.signal });
    await expect.poll(() => notes.join()).toContain("Forwarding");
    await main(["trigger", "connect"], surroundings);
    const made = JSON.parse(said[0] ?? "") as Connected;
    const rights = ["trigger", "rights", "--token", made.token, "--forbidden", "payruns"];
    await main(rights, surroundings);
    await main(["trigger", "sign-in", "--token", made.token], surroundings);
    const file = join(folder.stateDir, "records.json");
    await writeFile(file, JSON.stringify({ payruns: [] }));
    await main(["trigger", "records", "--token", made.token, "--file", file], surroundings);
    expect(said.slice(1).map((line) => JSON.parse(line) as object)).toMatchObject([
      { forbidden: ["payruns"] },
      { forbidden: ["payruns"], failure: null },
      { set: ["payruns"] },
    ]);
    expect(await main(["trigger", "webhook", "--token", made.token], surroundings)).toBe(0);
    await expect.poll(() => notes.find(isWebhook)).toContain('"status":204');
    ending.abort();
    expect(await listening).toBe(0);
    const { headers, bytes: body } = receiver.received.find(
      (each) => each.headers["x-service-api-origin"] === "webhooks-employees-webhook",
    )!;
    const taken: Webhook[] = [];
    const options = { secret, seen: memorySeen() };
    await receiveWebhook({ headers, body }, options, (one) => taken.push(one));
    expect(taken).toMatchObject([{ token: made.token, data: { added: [{}], removed: [{}] } }]);
    await rollcall.connection(made).disconnect();
  });
});

test("the command says what it lacks, and what the service refuses", async () => {
  const notes: string[] = [];
  const surroundings = { env, print: () => undefined, note: (line: string) => notes.push(line) };
  expect(await main(["trigger", "advance"], surroundings)).toBe(2);
  expect(await main(["trigger"], surroundings)).toBe(2);
  expect(await main(["trigger", "nothing"], surroundings)).toBe(2);
  expect(await main(["trigger", "--wrong"], surroundings)).toBe(2);
  expect(await main(["listen", "--forward-to", "nowhere"], surroundings)).toBe(2);
  expect(await main(["trigger", "connect"], { ...surroundings, env: {} })).toBe(2);
  const elsewhere = { ...surroundings, env: { ...env, ROLLCALL_URL: "rollcall.example" } };
  expect(await main(["trigger", "connect"], elsewhere)).toBe(2);
  const away = { ...surroundings, env: { ...env, ROLLCALL_URL: "http://127.0.0.1:9" } };
  expect(await main(["trigger", "connect"], away)).toBe(1);
  expect(await main(["trigger", "connect", "--scenario", "nobody"], surroundings)).toBe(1);
  expect(notes.map((note) => note.split("\n")[0])).toEqual([
    "trigger advance needs --token.",
    expect.stringMatching(/^Name what happens: connect, advance, /),
    expect.stringMatching(/^Name what happens: connect, advance, /),
    expect.stringContaining("--wrong"),
    "--forward-to is no http address.",
    "Set ROLLCALL_URL, ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET.",
    "ROLLCALL_URL is no http address.",
    "http://127.0.0.1:9 gave no reply",
    expect.stringMatching(/^Rollcall answered 400: /),
  ]);
});

describe("the package", () => {
  test("holds the library, the command, the popup and what a reader needs", () => {
    const dist = packed.filter((path) => path.startsWith("dist/"));
    expect(packed.filter((path) => !dist.includes(path)).toSorted()).toEqual([
      "CHANGELOG.md",
      "README.md",
      "package.json",
    ]);
    const doors = ["index", "popup", "react"].flatMap((name) => [`${name}.js`, `${name}.d.ts`]);
    const wanted = [...doors, "cli.js", "rollcall-connect.js"].map((name) => `dist/${name}`);
    expect(dist).toEqual(expect.arrayContaining(wanted));
    expect(dist.filter((path) => !path.endsWith(".js") && !path.endsWith(".d.ts"))).toEqual([]);
  });

  test("is not published before its owner has chosen a licence, and needs no other package", () => {
    expect(manifest).toMatchObject({ private: true, license: "UNLICENSED" });
    expect(manifest.dependencies).toBeUndefined();
  });

  test("has the date of the API as the first number of its version", () => {
    expect(manifest.version.split(".")[0]).toBe(apiVersion.replaceAll("-", ""));
    const changes = readFileSync(
      join(projectDir, "packages/client-typescript/CHANGELOG.md"),
      "utf8",
    );
    expect(changes).toContain(`## ${manifest.version}`);
  });

  test("compiles strictly in a program of its user, which the compiler corrects", async () => {
    await writeFile(join(project, "package.json"), '{ "type": "module" }');
    await writeFile(join(project, "consumer.ts"), consumerSource);
    await mkdir(join(project, "node_modules/react"), { recursive: true });
    const react = (name: string) => join(project, "node_modules/react", name);
    await writeFile(react("package.json"), '{ "type": "module", "exports": "./index.js" }');
    await writeFile(react("index.d.ts"), reactTypes);
    const settings = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
    const form = [
      "--module",
      "nodenext",
      "--target",
      "es2022",
      "--lib",
      "es2022,dom",
      "--types",
      "",
    ];
    const compiler = join(projectDir, "node_modules/typescript-native/bin/tsc");
    const args = [compiler, "--noEmit", ...settings, ...form, "consumer.ts"];
    const { stdout } = await run(process.execPath, args, { cwd: project }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe("");
  });

  test("has the popup, and a button for React, which begin a sign-in at the click", async () => {
    await writeFile(join(project, "node_modules/react/index.js"), reactSource);
    const installed = join(project, "node_modules/@rollcall/client/dist/react.js");
    const { SignInButton } = (await import(installed)) as {
      SignInButton: (props: object) => { type: string; props: Record<string, unknown> };
    };
    const link = "https://rollcall.test/connect?client_id=c&state=mine";
    const { type, props } = SignInButton({ url: link, params: { locale: "de" }, className: "big" });
    expect([type, Object.keys(props)]).toEqual(["button", ["type", "className", "onClick"]]);
    // Where a browser has no storage, the sign-in goes on in the same window.
    const assign = vi.fn<(address: string) => void>();
    vi.stubGlobal("location", { href: "https://app.test/", assign });
    vi.stubGlobal("localStorage", undefined);
    (props["onClick"] as () => void)();
    vi.unstubAllGlobals();
    expect(assign.mock.calls).toEqual([[`${link}&locale=de`]]);
  });

  test.each(runtimes)("does on %s what its README says", async (_name, program, args) => {
    const readme = readFileSync(join(project, "node_modules/@rollcall/client/README.md"), "utf8");
    const [, code = "", expected = ""] =
      /^```js tour\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```/m.exec(readme) ?? [];
    expect(code.split("\n").length).toBeLessThan(30);
    const port = String(await freePort());
    await writeFile(join(project, "tour.mjs"), code.replaceAll("4000", port));
    const { PATH = "" } = process.env;
    const { stdout } = await run(program, [...args, "tour.mjs"], {
      cwd: project,
      env: { ...env, PATH, HOME: project },
    });
    const pattern = expected.trim().split("…").map(RegExp.escape).join(".+");
    expect(stdout.trim()).toMatch(new RegExp(`^${pattern}$`));
  });

  test.each(nodeVersions)("has a command that runs on Node %s", async (version) => {
    const command = join(project, "node_modules/@rollcall/client/dist/cli.js");
    const { stdout } = await run(nodeOf(version), [command, "trigger", "connect"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ provider: "sandbox" });
  });
});

const consumerSource = `
import {
  receiveWebhook, Rollcall, RollcallError, type Employee, type ErrorCode, type Payslip, type SeenStore,
} from "@rollcall/client";
import { openSignIn } from "@rollcall/client/popup";
import { SignInButton } from "@rollcall/client/react";

const rollcall = new Rollcall({ url: "https://rollcall.test", clientId: "c", clientSecret: "s", etags: undefined });
const connection = rollcall.connection({ access_token: "a", token: "t" });

export async function names(): Promise<string[]> {
  const employees: Employee[] = await connection.employees({ employment_status: "active" }, { isFresh: true });
  // @ts-expect-error It is no status.
  await connection.employees({ employment_status: "ill" });
  // @ts-expect-error A range has two ends.
  await connection.payruns({ start_date: "2026-01-01" });
  // @ts-expect-error It is no scope.
  await rollcall.signInLink({ redirect_uri: "", scopes: ["bank"] });
  const slips: Payslip[] = await connection.payslips({ payrun_id: "p" });
  return [...employees.map((employee) => employee.display_full_name), slips[0]?.currency ?? ""];
}

export async function receive(request: Request, seen: SeenStore): Promise<Response> {
  const message = { headers: request.headers, body: await request.arrayBuffer() };
  const status = await receiveWebhook(message, { secret: ["new", "old"], seen }, (webhook) => {
    switch (webhook.type) {
      case "employees.changed":
        return webhook.data.added.map((employee) => employee.last_name);
      case "connection.ended":
        return webhook.data.by === "end_user";
      case "data.changed":
        return webhook.data.removed.ids.length + (webhook.data.truncated ? 1 : 0);
      default:
        // @ts-expect-error Not every event has it.
        return webhook.data.version;
    }
  });
  return new Response(null, { status });
}

export function explain(error: unknown): [ErrorCode, string, number | undefined] {
  if (!(error instanceof RollcallError)) throw error;
  // @ts-expect-error It is no code.
  if (error.code === "expired") return [error.code, "", 0];
  return [error.code, error.sentence, error.retryAfterSeconds];
}

export const begin = (url: string) => openSignIn({ url, onSuccess: ({ code }) => code });
export const button = SignInButton({ url: "/link", className: "big", onExit: ({ reason }) => reason });
// @ts-expect-error A button needs its link.
SignInButton({ className: "big" });
`;
/** The part of React's types that the button names: React is a peer that this project does not have. */
const reactTypes = `
export interface ReactElement { type: unknown }
export interface ButtonHTMLAttributes<Element> { className?: string; onClick?: (event: { target: Element }) => void }
`;
const reactSource = "export const createElement = (type, props) => ({ type, props });";
