import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EndpointPath } from "../src/model/index.ts";
import { carried, ConnectVisitor } from "./support/connect-visitor.ts";
import { makeUsedStateDir, programEnvironment } from "./support/program-environment.ts";
import { freePort } from "./support/redis-server.ts";
import { startService } from "./support/service-process.ts";

const project = resolve(import.meta.dirname, "..");
const readme = readFileSync(join(project, "README.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as Record<
  "dependencies" | "optionalDependencies" | "overrides",
  Record<string, string>
>;

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

test("the README has at most 150 lines", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test("the README gives the two commands by themselves", () => {
  for (const command of ["npm ci && npm start", "npm ci && npm test"])
    expect(readme).toContain(`\n\`\`\`\n${command}\n\`\`\`\n`);
});

test("the map names every folder of src, and files that exist", () => {
  const map = /^```\nsrc\/\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? "";
  const folders = [...map.matchAll(/^ {2}([a-z]+)\//gm)].map(([, name = ""]) => name);
  const found = readdirSync(join(project, "src"), { withFileTypes: true });
  expect(folders.sort()).toEqual(
    found
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  );
  const files = [...map.matchAll(/\b[a-z-]+\.ts\b/g)].map(([name]) => name);
  const known = new Set(globSync("src/**/*.ts", { cwd: project }).map((path) => basename(path)));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((name) => !known.has(name))).toEqual([]);
});

test("every dependency that the README explains is one", () => {
  const { dependencies, optionalDependencies, overrides } = manifest;
  const known = Object.keys({ ...dependencies, ...optionalDependencies, ...overrides });
  const list = readme.slice(readme.indexOf("Dependencies that are not obvious"));
  const named = [...list.matchAll(/^- `([^`]+)`/gm)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(4);
  const isKnown = (name: string): boolean =>
    name.endsWith("*")
      ? known.some((candidate) => candidate.startsWith(name.slice(0, -1)))
      : known.includes(name);
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});

test("the first paragraph of the README names everything that can be read", () => {
  const words: Record<EndpointPath, string> = {
    company: "company",
    employee: "employees",
    employees: "employees",
    groups: "groups",
    identity: "identity",
    payruns: "pay runs",
    "payruns/:payrun_id": "payslips",
    "time-off-balances": "time off",
    "time-off-entries": "time off",
    timesheets: "timesheets",
    "work-locations": "work locations",
  };
  const [, paragraph = ""] = readme.replaceAll(/(?<!\n)\n(?!\n)/g, " ").split("\n\n");
  expect(Object.values(words).filter((word) => !paragraph.includes(word))).toEqual([]);
});

const isInstalled = (shell: string): boolean =>
  spawnSync(shell, ["-c", "true"], { stdio: "ignore" }).status === 0;

describe("what a reader pastes into a terminal", () => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const { stateDir, remove } = await makeUsedStateDir();
    cleanups.push(remove);
    const service = await startService({ STATE_DIR: stateDir, LOG_LEVEL: "warn" });
    cleanups.push(() => service.stop());
    await service.untilServing();
    env = { STATE_DIR: stateDir, PORT: String(service.port) };
  });

  for (const shell of ["bash", "zsh"]) {
    if (!isInstalled(shell))
      process.stdout.write(`The tour is not pasted into ${shell}: it is not installed here.\n`);

    test.skipIf(!isInstalled(shell))(
      `the five-minute tour works in ${shell} as it is written, and then the webhook recipe`,
      async () => {
        const steps = readTour();
        expect(steps.length).toBeGreaterThan(4);
        const terminal = new PastedShell(shell, env);
        try {
          for (const { script, expected } of steps) {
            const output = await terminal.paste(script);
            expectLines(output, expected);
            // It is read at a terminal: nobody wants all employees on one line of it.
            expect(output.length).toBeLessThan(5_000);
          }
          await pasteRecipe(terminal, env);
        } finally {
          terminal.end();
        }
        expect(terminal.errors).toEqual([]);
      },
    );
  }
});

/** The two blocks of docs/webhooks.md for local mode: the first one keeps running in a terminal of its own. */
async function pasteRecipe(terminal: PastedShell, env: Record<string, string>): Promise<void> {
  const document = readFileSync(join(project, "docs/webhooks.md"), "utf8");
  const [, guide = ""] = /<!-- local -->([\s\S]*?)<!-- end -->/.exec(document) ?? [];
  const port = String(await freePort());
  const [listen = "", others = "", ...rest] = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, script = ""]) => script.replaceAll("4000", port),
  );
  expect(rest).toEqual([]);
  const listener = new PastedShell("bash", env);
  try {
    const received = listener.paste(`exec ${listen.trim()} --count 1`);
    received.catch(() => undefined);
    await until(() => listener.notes.includes("Listening on"));
    const output = await terminal.paste(others);
    expect(output).toMatch(/access_token +rc_at_dev_/);
    expect(await received).toMatch(/verified both ways +1 added, 1 removed, 2 updated/);
  } finally {
    listener.end();
  }
}

async function until(isSo: () => boolean, describe = (): string => ""): Promise<void> {
  const limit = AbortSignal.timeout(400_000);
  while (!isSo()) {
    if (limit.aborted) throw new Error(`the shell did not get there:\n${describe()}`);
    await delay(20);
  }
}

/** A shell that gets what somebody pastes on its standard input, a block at a time as terminals do it. */
class PastedShell {
  readonly #child: ChildProcessWithoutNullStreams;
  #output = "";
  #errors = "";

  constructor(shell: string, env: Record<string, string>) {
    this.#child = spawn(shell, ["-s"], { cwd: project, env: programEnvironment(env) });
    this.#child.stdout.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#child.stderr.on("data", (chunk: Buffer) => (this.#errors += chunk.toString()));
    this.#child.stdin.on("error", () => {});
  }

  get notes(): string {
    return this.#errors;
  }

  /** What the shell and its programs complain about. */
  get errors(): string[] {
    const usual = /^(?:npm (?:warn|notice)|Waiting for a worker|$)/;
    return this.#errors.split("\n").filter((line) => !usual.test(line));
  }

  /** What is shown until the shell waits for more, or ends. When it asks for the code, the link is walked. */
  async paste(script: string): Promise<string> {
    this.#output = "";
    this.#child.stdin.write(`{\n${script.trimEnd()}\necho @@@\n}\n`);
    if (script.includes("read -r")) {
      await until(() => this.#output.endsWith("code: "));
      const [, link = ""] = /^open (\S+)$/m.exec(this.#output) ?? [];
      this.#child.stdin.write(`${await signInOnPages(link)}\n`);
    }
    await until(
      () => this.#output.includes("@@@\n") || this.#child.exitCode !== null,
      () => this.#output + this.#errors,
    );
    return this.#output.replace("@@@\n", "");
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}

interface Step {
  script: string;
  /** Lines that appear in this order; … stands for anything. */
  expected: string[];
}

function readTour(): Step[] {
  const tour = readme.slice(readme.indexOf("## Five-minute tour"), readme.indexOf("## Read on"));
  const steps = [...tour.matchAll(/```sh\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(
    (match) => ({ script: match[1] ?? "", expected: (match[2] ?? "").trim().split("\n") }),
  );
  expect(steps.length).toBe([...tour.matchAll(/```sh\n/g)].length);
  return steps;
}

async function signInOnPages(link: string): Promise<string> {
  const { origin, pathname, search } = new URL(link);
  const visitor = new ConnectVisitor(origin);
  const page = await visitor.open(pathname + search);
  const ended = await visitor.submit(page, { username: "user_good", password: "anything" });
  return new Map(carried(ended)).get("code") ?? "";
}

function expectLines(output: string, expected: readonly string[]): void {
  let rest = output;
  for (const line of expected) {
    const pattern = new RegExp(
      line
        .split("…")
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
        .join(".*?"),
    );
    const match = pattern.exec(rest);
    expect(match, `the output has no line like ${line}:\n${rest.slice(0, 2_000)}`).not.toBeNull();
    rest = rest.slice((match?.index ?? 0) + (match?.[0].length ?? 0));
  }
}
