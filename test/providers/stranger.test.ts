import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { Metrics } from "../../src/platform/metrics.ts";
import { defaultAnswerLimits } from "../../src/platform/outbound/index.ts";
import { AdapterProcesses } from "../../src/reading/child/adapter-processes.ts";
import { rollcall } from "../support/command-line.ts";
import { writeDeclarations } from "../support/declarations.ts";
import { programEnvironment, projectDir } from "../support/program-environment.ts";
import { staffdirDir } from "../support/staffdir.ts";
import { unlimitedQuotas } from "../support/unlimited-quotas.ts";

// The project of a stranger, somewhere else on the disk: Rollcall is a dependency, one provider package is installed
// under node_modules, and another one is being written.

vi.setConfig({ testTimeout: 240_000 });

const run = promisify(execFile);
const node = join(projectDir, "node_modules/.bin/node");
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
];
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "rollcall-stranger-"));
  const modules = join(project, "node_modules");
  await mkdir(join(modules, "@acme/rollcall-x"), { recursive: true });
  await symlink(projectDir, join(modules, "rollcall"));
  await cp(staffdirDir, join(modules, "rollcall-staffdir"), { recursive: true });
  await cp(staffdirDir, join(project, "staffdir"), { recursive: true });
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
    'declare const provider: import("rollcall/provider").ProviderPackage;\nexport default provider;\n',
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
} from "rollcall/provider";
import { describeProvider, registerChecks, type Check } from "rollcall/conformance";
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

describe("the types of rollcall/provider and rollcall/conformance", () => {
  test("are those of the sources: `npm run types` changes nothing", async () => {
    for (const [name, text] of Object.entries(writeDeclarations()))
      expect(await readFile(join(projectDir, name), "utf8")).toBe(text);
  });

  test.each([
    ["nodenext", { module: "nodenext" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  ])("compile strictly in a stranger's project with %s", async (name, options) => {
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
    const files = ["./vendor.ts", "./staffdir/index.js", "./staffdir/staffdir.test.js"];
    await writeFile(config, JSON.stringify({ compilerOptions, files }));
    const said = await run(join(projectDir, "node_modules/.bin/tsc"), ["-p", config]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(said).toBe("");
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
