import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { Metrics } from "../../src/platform/metrics.ts";
import { defaultAnswerLimits } from "../../src/platform/outbound/index.ts";
import { AdapterProcesses } from "../../src/reading/child/adapter-processes.ts";
import { rollcall } from "../support/command-line.ts";
import { writeDeclarations } from "../support/declarations.ts";
import { nodeOf, nodeVersions } from "../support/machine-node.ts";
import { installPackedBench } from "../support/packed-bench.ts";
import { programEnvironment, projectDir } from "../support/program-environment.ts";
import { staffdirDir } from "../support/staffdir.ts";
import { unlimitedQuotas } from "../support/unlimited-quotas.ts";

// The project of a stranger, somewhere else on the disk: what runs and checks packages is installed there as npm packs it,
// one provider package is installed under node_modules, and another one is being written.

const run = promisify(execFile);
const node = join(projectDir, "node_modules/.bin/node");
if (nodeVersions.length === 1)
  process.stdout.write(
    "The package on an older Node is left out: the node of this machine is none of 20 to 22.\n",
  );
const noBelt =
  /^rollcall: Node 2\d\.\S+ cannot refuse the package what the service refuses it, .*\n$/;
/** It has people alone, without pay, and no table of fields. */
const notOfStaffdir = [
  "probe",
  "other-system",
  "money",
  "payslips",
  "sums",
  "ranges",
  "whole-lists",
  "filled-fields",
  "moved-list",
];
const createProgram = join(projectDir, "packages/create-rollcall-provider/index.js");
const signIns = ["key", "password", "oauth2"];
let project: string;
let packed: string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "rollcall-stranger-"));
  const modules = join(project, "node_modules");
  await mkdir(join(modules, "@acme/rollcall-x"), { recursive: true });
  packed = await installPackedBench(project);
  await cp(staffdirDir, join(modules, "rollcall-staffdir"), { recursive: true });
  await cp(staffdirDir, join(project, "staffdir"), { recursive: true });
  for (const signIn of signIns)
    await run(process.execPath, [createProgram, `by-${signIn}`, `--sign-in=${signIn}`], {
      cwd: project,
    });
  await installAcme(join(modules, "@acme/rollcall-x"));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await writeFile(join(project, "vendor.ts"), vendorSource);
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function installAcme(folder: string): Promise<void> {
  const manifest = { name: "@acme/rollcall-x", type: "module", exports: { import: "./index.js" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "index.js"), acmeSource);
  await writeFile(
    join(folder, "index.d.ts"),
    'declare const provider: import("@rollcall/provider").ProviderPackage;\nexport default provider;\n',
  );
}

const acmeSource = `
export default (kit) => kit.defineProvider({
  apiVersion: 1, name: "acme", title: "Acme",
  modes: { xhr: {
    form: kit.z.object({ key: kit.formField({ title: "Key", isSecret: true }) }),
    login: async (_context, { key }) => {
      if (key === "wrong") throw new kit.AuthError("incorrect_username_or_password");
      if (key === "limited") throw new kit.ProviderRateLimited(7);
      return { session: { key } };
    },
    check: async () => ({ unsupported: [] }),
    identity: async () => ({ name: "Ada", email: "ada@acme.example", phone_number: null }),
    resources: {},
  } },
});
`;

/** Uses most of the types, strictly. */
const vendorSource = `
import type {
  Conformance, Cursor, FakeSystem, FetchParameters, Kit, ProviderContext, ProviderDefinition, ProviderFailure, ProviderPackage,
  SourceRecord,
} from "@rollcall/provider";
import { describeProvider, registerChecks, type Check } from "@rollcall/provider/conformance";
import acme from "@acme/rollcall-x";

interface Person { id: number; name: string; left?: string }
interface After { after: number }

const toEmployee = (person: Person, today: string): SourceRecord<"employees"> => ({
  remote_id: String(person.id),
  last_name: person.name,
  employment_status: person.left !== undefined && person.left < today ? "inactive" : "active",
  // @ts-expect-error It is no field of an employee.
  shoe_size: 43,
});

const sheets = (kit: Kit) =>
  kit.defineReader<"timesheets", { id: number; of: string }>({
    async *fetch(_context, _session, { range: { start, end } }) {
      yield [{ id: 1, of: start + end }];
    },
    map: ({ id, of }, { parameters: { range } }) => ({
      remote_id: of + range.start, employee_remote_id: String(id), hours_worked: 1,
    }),
  });
const slips = (kit: Kit) =>
  kit.defineReader<"payslips", string>({
    async *fetch(_context, _session, { payrunRemoteId }) {
      yield [payrunRemoteId.trim()];
    },
    map: () => null,
  });
// As it was written before each resource had its own.
const groups = (kit: Kit) =>
  kit.defineReader<"groups", string>({
    async *fetch(_context, _session, { range, payrunRemoteId = "" }: FetchParameters) {
      if (range) yield [range.start + payrunRemoteId];
      // @ts-expect-error Nobody asks for groups by days.
      const days: string = ({} as FetchParameters<"groups">).range.start;
      yield [days];
    },
    map: () => null,
  });

const define = (kit: Kit): ProviderDefinition =>
  kit.defineProvider({
    apiVersion: 1,
    name: "vendor",
    title: "Vendor",
    limits: { quotas: { app: { perDay: 5_000, atOnce: 5 } }, waitSeconds: ({ status }) => (status === 503 ? 5 : undefined) },
    texts: { de: { Key: "Schlüssel" } },
    modes: {
      official: {
        keepsSecret: true,
        form: kit.z.object({
          key: kit.formField({ title: "Key", isSecret: true }, kit.z.string().length(32)),
          region: kit.formField({ title: "Region", isSetting: true, choices: [{ value: "eu", title: "Europe" }] }),
        }),
        login: async (context, { key = "" }) => {
          await ask(context, key);
          if (key === "") throw new kit.AuthError("incorrect_username_or_password");
          // @ts-expect-error It is no code of the contract.
          if (key === "-") throw new kit.AuthError("expired");
          return { session: { key } };
        },
        refresh: async (_context, session) => session,
        expiresAt: () => new Date(0),
        check: async () => ({ unsupported: ["payruns"], forbidden: ["payslips"], limited: { employees: ["tax_id"] } }),
        identity: async () => ({ name: "Ada", email: "ada@vendor.example", phone_number: null }),
        resources: {
          timesheets: sheets(kit),
          payslips: slips(kit),
          groups: groups(kit),
          employees: kit.defineReader<"employees", Person>({
            async *fetch(context) {
              const { after } = (context.cursor ?? { after: 0 }) as Cursor & After;
              const answer = await context.withSession((session) => ask(context, String(session["key"])));
              context.continueFrom({ at: context.clock.now().toISOString() });
              context.limited(["tax_id"]);
              yield { records: [{ id: after + 1, name: answer }], cursor: { after: after + 1 } };
            },
            async *changes() {
              yield { changed: [], removed: ["7"] };
            },
            map: (person, { today }) => toEmployee(person, today),
          }),
        },
      },
    },
  });

async function ask(context: ProviderContext, key: string): Promise<string> {
  const client = context.http("https://api.vendor.example", { draws: { app: "all" } });
  const { status, text } = await client.request({ url: "https://api.vendor.example/people", headers: { key } });
  return status === 200 ? text() : "";
}

const provider: ProviderPackage = [define, acme as ProviderPackage].flat() as ProviderPackage;
export const conformance: Conformance = {
  mode: "official",
  start: async (scenario): Promise<FakeSystem> => ({ formValues: { key: scenario }, close: () => undefined }),
  leavesOut: { changes: "it is not written yet" },
};
export const checks: readonly Check[] = describeProvider(provider, conformance);
registerChecks(checks, { describe: (_name, body) => body(), test: (_name, body) => body() });
export const explain = (failure: ProviderFailure): string => failure.kind === "auth" ? failure.code : failure.message;
export default define;
`;

describe("the types of @rollcall/provider", () => {
  test("are those of the sources: `npm run types` changes nothing", async () => {
    for (const [name, text] of Object.entries(writeDeclarations()))
      expect(await readFile(join(projectDir, "packages/provider", name), "utf8")).toBe(text);
  });

  test.each([
    ["nodenext", "typescript", { module: "nodenext" }],
    ["bundler", "typescript-native", { module: "esnext", moduleResolution: "bundler" }],
  ])("compile strictly in a stranger's project with %s of %s", async (name, compiler, options) => {
    const config = join(project, `tsconfig.${name}.json`);
    const compilerOptions = {
      ...options,
      target: "es2022",
      lib: ["es2023", "dom"],
      strict: true,
      noEmit: true,
      checkJs: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      types: ["node"],
      typeRoots: [join(projectDir, "node_modules/@types")],
    };
    const files = [
      "./vendor.ts",
      "./staffdir/index.js",
      "./staffdir/staffdir.test.js",
      ...signIns.map((signIn) => `./rollcall-by-${signIn}/index.js`),
    ];
    await writeFile(config, JSON.stringify({ compilerOptions, files }));
    const tsc = join(projectDir, "node_modules", compiler, "bin/tsc");
    const said = await run(process.execPath, [tsc, "-p", config]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(said).toBe("");
  });
});

async function readManifest(path: string) {
  return JSON.parse(await readFile(join(projectDir, path), "utf8")) as {
    dependencies: Record<string, string>;
  };
}

/** Runs the installed command as the shell of the given Node does. */
async function bench(version: string, args: readonly string[], cwd = project) {
  const bin = join(project, "node_modules/@rollcall/provider/bin.js");
  const env = { PATH: process.env["PATH"] ?? "", HOME: project };
  return await run(nodeOf(version), [bin, ...args], { cwd, env }).then(
    (said) => ({ code: 0, ...said }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe("@rollcall/provider", () => {
  test("is what it runs and its types: no source, no test, no recording", () => {
    const others = packed.filter((path) => !/^dist\/[\w/-]+\.js$/.test(path));
    expect(others.toSorted()).toEqual([
      "bin.js",
      "conformance.d.ts",
      "conformance.js",
      "package.json",
      "provider.d.ts",
    ]);
    expect(
      packed.filter((path) => /recordings\/built-in\/|\/(?:db|queue|http)\//.test(path)),
    ).toEqual([]);
  });

  test("needs the packages of Rollcall in the same versions, and those alone", async () => {
    const [{ dependencies: ours }, { dependencies }] = [
      await readManifest("package.json"),
      await readManifest("packages/provider/package.json"),
    ];
    for (const [name, version] of Object.entries(dependencies)) expect(ours[name]).toBe(version);
    const imported = new Set<string>();
    for (const file of packed.filter((path) => path.startsWith("dist/"))) {
      const code = await readFile(join(project, "node_modules/@rollcall/provider", file), "utf8");
      for (const { fileName } of ts.preProcessFile(code).importedFiles)
        if (!fileName.startsWith(".") && !isBuiltin(fileName)) imported.add(fileName);
    }
    expect([...imported].toSorted()).toEqual(Object.keys(dependencies).toSorted());
  });

  test.each(nodeVersions)("checks a package beside its fake on Node %s", async (version) => {
    const { code, stdout, stderr } = await bench(version, ["check", "./staffdir", "--json"]);
    const rows = JSON.parse(stdout) as { check: string; result: string; note: string }[];
    const others = rows.filter(({ result }) => result !== "passed");
    expect(others.map(({ check, result }) => `${check} ${result}`)).toEqual(
      notOfStaffdir.map((check) => `${check} left out`),
    );
    expect(rows.length).toBeGreaterThan(20);
    expect(code).toBe(0);
    expect(stderr).toMatch(version === process.version ? /^$/ : noBelt);
  });

  test.each(nodeVersions)("makes and checks a new package on Node %s", async (version) => {
    const name = `acme-${version.slice(1, 3)}`;
    await run(nodeOf(version), [createProgram, name], { cwd: project });
    const folder = join(project, `rollcall-${name}`);
    const replay = ["./index.js", "--replay", "recording"];
    const checked = await bench(version, ["check", ...replay, "--json"], folder);
    const rows = JSON.parse(checked.stdout) as { provider: string; result: string }[];
    expect(rows.filter(({ result }) => result === "failed")).toEqual([]);
    expect(rows.filter(({ result }) => result === "passed").length).toBeGreaterThan(15);
    expect(rows[0]).toMatchObject({ provider: `${name} official` });
    const read = await bench(version, ["run", replay[0]!, "groups", ...replay.slice(1)], folder);
    expect(read.stdout).toMatch(/^groups: 2 records in 1 pages by 1 requests$/m);
    const same = await bench(version, ["diff", "./index.js", "recording", "--json"], folder);
    expect(same).toMatchObject({ code: 0, stdout: "[]\n" });
  });

  test("says how it is used by its own name, and what is wrong", async () => {
    const { stdout } = await bench(process.version, ["run", "--help"]);
    expect(stdout).toContain("$ rollcall-provider run ./index.js employees --watch\n");
    expect(await bench(process.version, ["check", "./nobody.js"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is no file") as string,
    });
  });
});

describe("a package under node_modules", () => {
  test("is loaded by its name from the operator's project, and conforms", async () => {
    const env = { PROVIDERS: "rollcall-staffdir,@acme/rollcall-x" };
    for (const name of ["staffdir", "rollcall-staffdir"]) {
      const checked = await rollcall(["provider", "check", name, "--json"], env, { cwd: project });
      expect(checked).toMatchObject({ code: 0, stderr: "" });
      const rows = checked.json<{ provider: string; check: string; result: string }[]>();
      const others = rows.filter(({ result }) => result !== "passed");
      expect(others.map(({ check, result }) => `${check} ${result}`)).toEqual(
        notOfStaffdir.map((check) => `${check} left out`),
      );
      expect(rows.length).toBeGreaterThan(20);
    }
  });

  test("runs in child processes: what it declares arrives as data, and its failures as what they are", async () => {
    const before = process.cwd();
    process.chdir(project);
    const adapters = new AdapterProcesses({
      clock: systemClock,
      log: createLog({ level: "silent" }),
      metrics: new Metrics(),
      processes: 1,
      heapMb: 128,
      memoryMb: 512,
      readMemoryMb: 64,
      providerPackages: ["rollcall-staffdir", "@acme/rollcall-x"],
      withheld: [],
      applications: {},
      outboundAllow: [],
      allowsHttp: true,
      answerLimits: defaultAnswerLimits,
      quotas: unlimitedQuotas,
    });
    const signIn = (key: string) =>
      adapters.login({
        provider: "acme",
        mode: "xhr",
        resources: [],
        signal: AbortSignal.timeout(30_000),
        formValues: { key },
      });
    try {
      const registry = await adapters.loadRegistry({ isPatient: true });
      expect(registry.findDefinition("staffdir")).toBeUndefined();
      expect(registry.findMode("staffdir", "xhr")?.recipe).toMatchObject({
        field: "company",
        steps: [{ drawing: { length: 6 } }, {}],
      });
      await expect(signIn("right")).resolves.toEqual({ session: { key: "right" } });
      await expect(signIn("wrong")).rejects.toMatchObject({
        kind: "auth",
        code: "incorrect_username_or_password",
      });
      await expect(signIn("limited")).rejects.toMatchObject({
        kind: "rate-limited",
        afterSeconds: 7,
      });
    } finally {
      await adapters.stop();
      process.chdir(before);
    }
  });
});

test("the example's own tests pass", async () => {
  const { stdout } = await run(node, ["--test", "--test-reporter=tap"], {
    cwd: join(project, "staffdir"),
    env: programEnvironment({}),
  });
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(20);
});
