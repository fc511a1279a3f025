import { spawn } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { EndpointPath } from "../src/model/index.ts";
import { carried, ConnectVisitor } from "./support/connect-visitor.ts";
import { makeStateDir, programEnvironment } from "./support/program-environment.ts";
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

test("the five-minute tour works as it is written, from the link to the end", async () => {
  const { stateDir, remove } = await makeStateDir();
  cleanups.push(remove);
  const service = await startService({ STATE_DIR: stateDir, LOG_LEVEL: "warn" });
  cleanups.push(() => service.stop());
  const steps = readTour();
  expect(steps.length).toBeGreaterThan(4);
  const output = await runTour(
    steps.map(({ script }) => script),
    { STATE_DIR: stateDir, PORT: String(service.port) },
  );
  for (const [index, { expected }] of steps.entries()) expectLines(output[index] ?? "", expected);
});

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

/** One shell runs all of it, as one person does. When it asks for the code, the link that it printed is walked. */
async function runTour(scripts: readonly string[], env: Record<string, string>): Promise<string[]> {
  const shell = spawn(
    "bash",
    ["-e", "-o", "pipefail", "-c", scripts.map((script) => `${script}\necho; echo @@@`).join("\n")],
    { cwd: project, env: programEnvironment(env), stdio: ["pipe", "pipe", "pipe"] },
  );
  let output = "";
  let errors = "";
  let isWalked = false;
  shell.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  shell.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    const link = /^open (\S+)\n[\s\S]*@@@/m.exec(output)?.[1];
    if (!link || isWalked) return;
    isWalked = true;
    void signInOnPages(link).then((code) => shell.stdin.write(`${code}\n`));
  });
  const code = await new Promise((done) => shell.once("close", done));
  expect({ code, errors: errors.replaceAll(/^npm (warn|notice).*\n?/gm, "") }).toEqual({
    code: 0,
    errors: "",
  });
  return output.split("@@@\n");
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
