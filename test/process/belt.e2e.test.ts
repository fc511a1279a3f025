import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rollcall } from "../support/command-line.ts";
import { projectDir } from "../support/program-environment.ts";
import { attempts, compiledText, installPryingPackage } from "../support/prying-package.ts";
import { endSharedChildren } from "../support/shared-children.ts";
import { untilNoProcessOf } from "../support/processes.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { spawnService, startService, type ServiceProcess } from "../support/service-process.ts";

let folder: string;
let traces: string;
let service: ServiceProcess;
let outcomes: Map<string, string>;
let env: Record<string, string>;
const nameOfFile = `salary-of-ann-${randomUUID()}.txt`;

/** `npm start` on a folder of its own, with the state folder inside of the folder of the package. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rollcall-belt-"));
  traces = join(folder, "traces");
  const stateDir = join(folder, "prying/.rollcall");
  const file = join(folder, nameOfFile);
  await mkdir(traces);
  await writeFile(file, "30000");
  await installPryingPackage(join(folder, "prying"), { stateDir, file, traces });
  env = { STATE_DIR: stateDir, PROVIDERS: join(folder, "prying") };
  service = await (await startService(env)).untilStarted();
  const connected = await rollcall(
    "connection create --provider prying --field username=ann --exchange --json".split(" "),
    env,
  );
  const { access_token: bearer } = connected.json<{ access_token: string }>();
  const { body } = await readWhenReady(service.http, "/2023-03-01/xhr/employees", { bearer });
  outcomes = new Map(
    (body as { remote_id: string; last_name: string }[]).map((one) => [
      one.remote_id,
      one.last_name,
    ]),
  );
});
afterAll(async () => {
  await service.stop();
  await endSharedChildren();
  await untilNoProcessOf(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

describe.each(["load", "read"])("a provider package that tries at its %s", (when) => {
  test.each(Object.keys(attempts))("%s is refused", (name) => {
    expect(outcomes.get(`${when}: ${name}`)).toMatch(/^ERR_(?:ACCESS_DENIED|DLOPEN_DISABLED)$/);
  });
});

test("a provider package leaves nothing on the disk, nor among the compiled modules", async () => {
  expect(await readdir(traces)).toEqual([]);
  const cache = join(projectDir, "node_modules/.cache/rollcall");
  const kept = globSync("**/*", { cwd: cache, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.filter((bytes) => bytes.includes(compiledText))).toEqual([]);
});

test("the service itself never loads a provider package", async () => {
  const body = await (await request(`${service.baseUrl}/connect/example`)).body.text();
  expect(body).toContain("Prying, declared by a child");
  expect(body).not.toContain("declared by the service");
});

test("what a package was refused is in the log with the name of the package, and no data", () => {
  const lines = service.output
    .split("\n")
    .filter((line) => line.includes('"refused":'))
    .map((line) => JSON.parse(line) as { package: string; refused: string });
  expect(new Set(lines.map((line) => line.package))).toEqual(new Set([env["PROVIDERS"]]));
  expect(new Set(lines.map(({ refused }) => refused))).toEqual(new Set(Object.values(attempts)));
  expect(service.output).not.toContain(nameOfFile);
});

test("a package that takes 11 seconds to load delays the start, which says so and does not fail", async ({
  onTestFinished,
}) => {
  const slow = join(folder, "slow");
  await mkdir(slow);
  await writeFile(join(slow, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(slow, "index.js"),
    `await new Promise((resolve) => setTimeout(resolve, 11_000));
     export default { apiVersion: 1, name: "slow", title: "Slow", modes: {} };`,
  );
  const env = { STATE_DIR: join(folder, "state-of-slow"), PROVIDERS: join(slow, "index.js") };
  const started = await spawnService(env);
  onTestFinished(async () => void (await started.stop()));
  await started.untilServing();
  await started.untilStarted();
  expect(started.output).toContain("provider packages are still loading; the start waits for them");
});

test.each([
  [
    "that reads a file which is not its own",
    'import { readFileSync } from "node:fs"; readFileSync("/etc/passwd"); export default {};',
    /cannot be loaded: it needs more than a package may do: [^\n]+ \(\S+index\.mjs:1\)\n/,
  ],
  [
    "that ends its process",
    "process.exit(3);",
    /^Rollcall could not start\. [^\n]+: the process that loads \S+index\.mjs ended: it ended with code 3\n$/,
  ],
])(
  "a package %s when it is loaded is refused at the start, in one sentence",
  async (_case, source, said) => {
    const refusedFolder = await mkdtemp(join(folder, "refused-"));
    await writeFile(join(refusedFolder, "index.mjs"), source);
    const refused = await spawnService({
      STATE_DIR: join(refusedFolder, "state"),
      PROVIDERS: join(refusedFolder, "index.mjs"),
    });
    expect(await refused.exited).toMatchObject({ code: 1 });
    // A package that takes long to load is mentioned, before or after, because the two come by ways of their own.
    const output = refused.output.replace(
      /^.*(?:packages are still loading|the start waits).*\n/gm,
      "",
    );
    expect(output).toMatch(said);
    expect(output).toContain("Rollcall could not start. PROVIDERS cannot be used: ");
  },
);

test("a package that declares what cannot be is refused at the start, in one sentence", async () => {
  const wrong = join(folder, "wrong");
  await mkdir(wrong);
  await writeFile(
    join(wrong, "index.mjs"),
    "export default { apiVersion: 1, name: 'wrong', title: { toString: 7 }, modes: {} };",
  );
  const env = { STATE_DIR: join(folder, "state-of-wrong"), PROVIDERS: join(wrong, "index.mjs") };
  const refused = await spawnService(env);
  expect(await refused.exited).toMatchObject({ code: 1 });
  expect(refused.output).toContain(
    "Rollcall could not start. PROVIDERS cannot be used: provider wrong: `title` has to be a string\n",
  );
});
