import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Description } from "../../packages/client-python/generate/description.ts";
import { writeClient } from "../../packages/client-python/generate/index.ts";
import { carried, ConnectVisitor } from "../support/connect-visitor.ts";
import { unlimited } from "../support/harness.ts";
import {
  makeUsedStateDir,
  programEnvironment,
  projectDir,
} from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const folder = join(projectDir, "packages/client-python");
const source = join(folder, "src/rollcall_client");

/** A Python that is new enough and has httpx: that of the path, or that of the system with what apt installed. */
const python = ["python3", "/usr/bin/python3"].find(
  (program) =>
    spawnSync(program, ["-c", "import sys, httpx; sys.exit(sys.version_info < (3, 11))"]).status ===
    0,
);
if (!python)
  process.stdout.write(
    "The tests of the Python client are left out: there is no python3 of 3.11 or newer with httpx on this machine.\n",
  );

const cache = join(projectDir, "node_modules/.cache/mypy");
const checker = ["mypy", "/usr/bin/mypy"].find(
  (program) => spawnSync(program, ["--version"]).status === 0,
);
if (!checker)
  process.stdout.write("The types of the Python client are not checked: there is no mypy here.\n");

const canBuild =
  python && spawnSync(python, ["-c", "import setuptools.build_meta, wheel"]).status === 0;
if (!canBuild)
  process.stdout.write(
    "The wheel of the Python client is not built: Python lacks setuptools or wheel.\n",
  );

let service: ServiceProcess;
let browser: Server;
const cleanups: (() => Promise<unknown>)[] = [];
let demo: string;
/** Where the README's reader is: the folder that has the folder of the service's state. */
let desk: string;
beforeAll(async () => {
  const { stateDir, remove } = await makeUsedStateDir();
  cleanups.push(remove);
  service = await startService({ STATE_DIR: stateDir, LOG_LEVEL: "warn", ...unlimited });
  cleanups.push(() => service.stop());
  desk = await mkdtemp(join(tmpdir(), "rollcall-client-python-"));
  cleanups.push(async () => await rm(desk, { recursive: true }));
  demo = join(desk, ".rollcall/demo.json");
  await cp(join(stateDir, "demo.json"), demo);
  browser = createServer((request, response) => {
    void text(request)
      .then(walk)
      .then((query) => response.end(query));
  }).listen(0, "127.0.0.1");
  await once(browser, "listening");
  cleanups.push(async () => {
    browser.close();
    await once(browser, "close");
  });
});
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

/** What the end user does with a link. Resolves with the query of the redirect. */
async function walk(link: string): Promise<string> {
  const { origin, pathname, search } = new URL(link);
  const visitor = new ConnectVisitor(origin);
  const page = await visitor.open(pathname + search);
  const ended = await visitor.submit(page, { username: "user_good", password: "anything" });
  return new URLSearchParams(carried(ended)).toString();
}

async function run(
  program: string,
  args: readonly string[],
  { cwd = folder, ...env }: Record<string, string> = {},
) {
  return await new Promise<{ code: number; output: string }>((done) => {
    const options = { cwd, env: programEnvironment({ PYTHONDONTWRITEBYTECODE: "1", ...env }) };
    execFile(program, args, options, (error, stdout, stderr) => {
      done({ code: error ? 1 : 0, output: stdout + stderr });
    });
  });
}

/** Builds the wheel of a copy, as building leaves files beside the source. */
async function buildWheel(): Promise<string> {
  const copy = join(desk, "source");
  await cp(folder, copy, { recursive: true });
  const build = "import setuptools.build_meta as it; it.build_wheel('..')";
  expect(await run(python ?? "", ["-c", build], { cwd: copy })).toMatchObject({ code: 0 });
  const wheel = (await readdir(desk)).find((name) => name.endsWith(".whl"));
  return join(desk, wheel ?? "");
}

test("what is written from the description is as the service describes itself (npm run client:python)", async () => {
  const description = (await service.http.get("/openapi.json")).body as Description;
  const client = readFileSync(join(source, "client.py"), "utf8");
  for (const [name, written] of Object.entries(writeClient(description, client)))
    await expect(written).toMatchFileSnapshot(join(source, name));
});

describe.skipIf(!python)("the Python client", () => {
  test("passes its own tests beside a running service", async () => {
    const { port } = browser.address() as AddressInfo;
    const { code, output } = await run(
      python ?? "",
      [
        "-B",
        "-W",
        "error::ResourceWarning",
        "-m",
        "unittest",
        "discover",
        "-t",
        ".",
        "-s",
        "tests",
      ],
      { PYTHONPATH: "src", ROLLCALL_DEMO: demo, ROLLCALL_BROWSER: `http://127.0.0.1:${port}/` },
    );
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Ran [5-9]\d tests/m) as string,
    });
    expect(output).not.toContain("skipped");
  });

  test.skipIf(!checker)("has types that mypy --strict finds right", async () => {
    const { code, output } = await run(checker ?? "", ["--cache-dir", cache]);
    expect({ code, output }).toMatchObject({ code: 0 });
  });

  test.skipIf(!canBuild)(
    "is a wheel that holds its modules and nothing else, with which the README's tour works",
    async () => {
      const wheel = await buildWheel();
      const { output: listed } = await run(python ?? "", ["-m", "zipfile", "-l", wheel]);
      const names = [...listed.matchAll(/^(\S+) +\d{4}-/gm)].map(([, name = ""]) => name);
      const modules = (await readdir(source)).filter((name) => /\.py$|^py\.typed$/.test(name));
      const date = /"(\d+)-0?(\d+)-0?(\d+)"/.exec(readFileSync(join(source, "models.py"), "utf8"));
      const info = `rollcall_client-${date?.slice(1).join(".")}.1.dist-info`;
      const about = ["METADATA", "WHEEL", "top_level.txt", "RECORD"];
      expect(names.toSorted()).toEqual(
        [
          ...modules.map((name) => `rollcall_client/${name}`),
          ...about.map((name) => `${info}/${name}`),
        ].toSorted(),
      );

      const readme = readFileSync(join(folder, "README.md"), "utf8");
      const tour = /```python run\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(readme);
      const [, code = "", expected = ""] = tour ?? [];
      expect(code.trim().split("\n").length).toBeLessThan(30);
      const program = join(desk, "tour.py");
      await writeFile(program, code.replaceAll("4000", String(await freePort())));
      const { output } = await run(python ?? "", [program], { cwd: desk, PYTHONPATH: wheel });
      const [person = "", counts = ""] = expected.trim().split("\n");
      const lines = output.trim().split("\n");
      expect(lines.filter((line) => line.includes(person.replaceAll("…", "").trim()))).toHaveLength(
        3,
      );
      expect(lines).toContain(counts);
    },
  );
});
