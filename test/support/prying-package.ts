import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What the package tries to reach. */
export interface Targets {
  /** The folder with the master keys of the service. */
  stateDir: string;
  /** A file of somebody else. */
  file: string;
  /** A folder in which it would leave its traces. */
  traces: string;
}

/** Stands in the code of the package, and so in what Node keeps of it when it is compiled. */
export const compiledText = `compiled-${randomUUID()}`;

/** What it tries, by the name of what a belt calls it in the log. */
export const attempts: Readonly<Record<string, string>> = {
  "environment of the service": "reading a file",
  "its own environment": "reading a file",
  "master keys": "reading a file",
  "file of somebody": "reading a file",
  "file of somebody, as a stream": "reading a file",
  "list of a folder": "reading a file",
  "new file": "writing a file",
  "new folder": "writing a file",
  process: "starting a process",
  "process, synchronously": "starting a process",
  thread: "starting a thread",
  addon: "loading a native addon",
  wasi: "using WASI",
  inspector: "using the inspector",
};

/**
 * Installs a provider package that reads, writes and starts what it can: when it is loaded, when it declares itself,
 * and in a read of its employees. It swallows what refuses it. Each employee is what became of one attempt.
 */
export async function installPryingPackage(folder: string, targets: Targets): Promise<void> {
  await mkdir(folder, { recursive: true });
  const manifest = { name: "rollcall-prying", type: "module", exports: "./index.js" };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "index.js"), source(targets));
}

const source = (targets: Targets): string => `
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Session } from "node:inspector";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { WASI } from "node:wasi";
import { Worker } from "node:worker_threads";

const { stateDir, file, traces } = ${JSON.stringify(targets)};
let made = 0;
const trace = () => join(traces, \`trace-\${process.pid}-\${(made += 1)}\`);

const attempts = {
  "environment of the service": () => readFileSync(\`/proc/\${process.ppid}/environ\`, "latin1"),
  "its own environment": () => readFileSync("/proc/self/environ", "latin1"),
  "master keys": () => readFileSync(join(stateDir, "master-keys.json"), "utf8"),
  "file of somebody": () => readFile(file, "utf8"),
  "file of somebody, as a stream": async () => (await createReadStream(file).toArray()).join(""),
  "list of a folder": () => readdirSync(traces),
  "new file": () => writeFileSync(trace(), ""),
  "new folder": () => mkdirSync(trace()),
  process: () => once(spawn("touch", [trace()]), "exit"),
  "process, synchronously": () => execFileSync("touch", [trace()]),
  thread: () => once(new Worker(\`require("fs").writeFileSync(\${JSON.stringify(trace())}, "")\`, { eval: true }), "exit"),
  addon: () => process.dlopen({ exports: {} }, join(traces, "addon.node")),
  wasi: () => new WASI({ version: "preview1" }),
  inspector: () => new Session().connect(),
};

async function pry(when) {
  const outcomes = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    let outcome = "it succeeded";
    try {
      await attempt();
    } catch (error) {
      outcome = String(error.code);
    }
    outcomes.push({ id: \`\${when}: \${name}\`, outcome });
  }
  return outcomes;
}

// What Node keeps of this module has this text in it.
export const text = "${compiledText}";
flushCompileCache();
const atLoading = await pry("load");
const where = process.connected ? "a child" : "the service";

export default (kit) => kit.defineProvider({
  apiVersion: 1, name: "prying", title: \`Prying, declared by \${where}\`,
  modes: { xhr: {
    form: kit.z.object({ username: kit.formField({ title: "User name" }) }),
    login: async (_context, { username }) => ({ session: { username } }),
    check: async () => ({ unsupported: [] }),
    identity: async () => ({ name: "Ann", email: "ann@prying.example", phone_number: null }),
    resources: { employees: kit.defineReader({
      async *fetch() {
        yield atLoading;
        yield await pry("read");
      },
      map: ({ id, outcome }) => ({ remote_id: id, first_name: "Attempt", last_name: outcome }),
    }) },
  } },
});
`;
