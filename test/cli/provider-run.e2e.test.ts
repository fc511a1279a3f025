import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KeptSignIns, type RunEvent } from "../../src/workbench/index.ts";
import { rollcall } from "../support/command-line.ts";
import { programEnvironment, projectDir } from "../support/program-environment.ts";
import { loadStaffdir, staffdirDir } from "../support/staffdir.ts";

type Fake = Awaited<ReturnType<Awaited<ReturnType<typeof loadStaffdir>>["conformance"]["start"]>>;

let folder: string;
let env: Record<string, string>;
let fake: Fake;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rollcall-run-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await cp(staffdirDir, join(folder, "staffdir"), { recursive: true });
  env = { STATE_DIR: join(folder, "state") };
  const { conformance } = await loadStaffdir();
  fake = await conformance.start("usual");
});
afterAll(async () => {
  await fake.close();
  await rm(folder, { recursive: true, force: true });
});

const adapter = () => join(folder, "staffdir/index.js");
const typed = () =>
  Object.entries(fake.formValues)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
const at = () => ["--origin", fake.baseUrl ?? ""];
const keptFile = () => `staffdir-xhr-http-127.0.0.1-${new URL(fake.baseUrl ?? "").port}.sealed`;
const signIn = () => [...at(), "--fields-file", "-"];

async function run(args: readonly string[], input = "") {
  return await rollcall(["provider", "run", ...args], env, { input });
}

interface Told {
  provider: string;
  events: RunEvent[];
}

function ofType<Type extends RunEvent["type"]>(told: Told, type: Type) {
  return told.events.filter((event) => event.type === type) as Extract<RunEvent, { type: Type }>[];
}

describe("provider run", () => {
  test("shows the requests, the record of the system and what is made of it, as a tree", async () => {
    const { code, stdout, stderr } = await run([
      "sandbox",
      "employees",
      "--limit",
      "1",
      "--field",
      "username=user_good",
      "password=any",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Sandbox \(xhr, also official\)\nsigned in/);
    expect(stdout).toMatch(/^├─ source\n│ {2}remote_id +"emp_1001"$/m);
    expect(stdout).toMatch(/^├─ record\n│ {2}id +"[\w-]{22}"$/m);
    expect(stdout).toMatch(/^employees: \d+ records and perhaps more in 1 pages by 0 requests$/m);
  });

  test("ends without a complaint when its reader has seen enough", async () => {
    const command = `"$1" provider run sandbox employees --field username=user_good password=any --limit 50 | head -1`;
    const child = spawn("sh", ["-c", command, "sh", join(projectDir, "bin/rollcall")], {
      env: programEnvironment(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (data: Buffer) => void (said += data.toString()));
    await once(child, "close");
    expect(said).toBe("");
  });

  test("tells a program each request with what it counts for, and each record", async () => {
    const { code, json } = await run(
      [adapter(), "employees", "--limit", "2", "--json", "--sign-in", ...signIn()],
      typed(),
    );
    const told = json<Told>();
    expect({ code, provider: told.provider }).toEqual({ code: 0, provider: "staffdir" });
    const request = ofType(told, "exchange").find(({ step }) => step === "employees")!;
    expect(request.exchange).toMatchObject({
      method: "GET",
      status: 200,
      draws: { requests: expect.any(String) as unknown },
    });
    expect(request.exchange).not.toHaveProperty("seen");
    const [first] = ofType(told, "record");
    expect(first).toMatchObject({
      source: { family: "Lindgren" },
      record: { last_name: "Lindgren" },
    });
    expect(ofType(told, "record")).toHaveLength(2);
  });

  test("asks for no password a second time, and keeps the session in a sealed file", async () => {
    await run([adapter(), "company", "--sign-in", ...signIn()], typed());
    const again = await run([adapter(), "company", "--json", ...at()]);
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: "" });
    expect(await readdir(join(folder, "state/provider-runs"))).toContain(keptFile());
    const sealed = await readFile(join(folder, "state/provider-runs", keptFile()));
    const secrets = [...Object.values(fake.formValues), "token-1"];
    const texts = [sealed.toString(), Buffer.from(sealed.toString(), "base64").toString("latin1")];
    expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  });

  test("ends with code 1 when a read failed, and goes on with the others", async () => {
    const broken = createServer((_request, response) => void response.writeHead(500).end("{}"));
    await once(broken.listen(0, "127.0.0.1"), "listening");
    const { port } = broken.address() as AddressInfo;
    const file = join(folder, "broken.js");
    await writeFile(file, slipsSource);
    const { code, stdout, stderr } = await run([file, ...slipArguments(port)]);
    broken.close();
    expect(stdout).toMatch(/^payruns: the read /m);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "rollcall: 2 of 2 reads failed\n" });
  });

  test("neither shows the session of the real system to one on this machine, nor writes over it", async () => {
    const kept = new KeptSignIns(join(folder, "state"));
    const place = { provider: "staffdir", mode: "xhr" };
    kept.keep(place, { session: { token: "of the real system" }, settings: {} });
    const path = join(folder, "state/provider-runs/staffdir-xhr.sealed");
    const before = await readFile(path, "utf8");
    const { conformance } = await loadStaffdir();
    const other = await conformance.start("usual");
    const there = ["--origin", other.baseUrl ?? "", "--fields-file", "-"];
    const { code, stderr } = await run([adapter(), "company", ...there], typed());
    await other.close();
    // A session that is refused is told.
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await readFile(path, "utf8")).toBe(before);
  });

  test("says what is refused when a password is wrong, also where a session of an earlier run is kept", async () => {
    expect(await readdir(join(folder, "state/provider-runs"))).toContain(keptFile());
    const { conformance } = await loadStaffdir();
    const wrong = await conformance.start("wrong-password");
    const form = Object.entries(wrong.formValues).map(([name, value]) => `${name}=${value}\n`);
    const there = ["--origin", wrong.baseUrl ?? "", "--fields-file", "-"];
    const { code, stderr } = await run(
      [adapter(), "company", "--sign-in", ...there],
      form.join(""),
    );
    await wrong.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("incorrect_username_or_password") as unknown,
    });
    expect(stderr).not.toContain("is missing");
  });

  test("asks for the form again when the kept session is refused", async () => {
    const { conformance } = await loadStaffdir();
    const dead = await conformance.start("dead-session");
    const form = Object.entries(dead.formValues)
      .map(([name, value]) => `${name}=${value}\n`)
      .join("");
    const there = ["--origin", dead.baseUrl ?? ""];
    await run([adapter(), "company", "--sign-in", ...there, "--fields-file", "-"], form);
    await dead.afterSignIn?.();
    const { code, stderr } = await run([adapter(), "company", ...there]);
    await dead.close();
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^rollcall: the session of an earlier run works no more: the sign-in failed with .*\n.* is missing and there is no terminal/,
    );
  });

  test("refuses a secret as an argument, an unknown resource, and a range that is none", async () => {
    const secret = await run([adapter(), "--sign-in", "--field", "password=hunter22"]);
    expect({ code: secret.code, stderr: secret.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("is a secret: type it when asked") as unknown,
    });
    const unknown = await run(["sandbox", "salaries"]);
    expect(unknown.stderr).toContain("Sandbox has no salaries; it has company");
    const elsewhere = await run([adapter(), "--origin", "https://api.example.com", "--sign-in"]);
    expect(elsewhere.stderr).toContain("--origin is an address of this machine");
    const day = "2026-01-05";
    for (const asked of ["2026-02-30", `${day}..2026-02-30`, `${day}..${day}..${day}`]) {
      const range = await run(["sandbox", "payruns", "--range", asked]);
      expect(range.stderr).toContain("--range is written as 2026-01-01..2026-01-31");
    }
  });
});

const recording = () => join(folder, "recording");

describe("a recording", () => {
  test("is made of a run, ignored by git, and read again without the system", async () => {
    const { code, stdout, stderr } = await run(
      [adapter(), "--record", recording(), ...signIn()],
      typed(),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^recorded \d+ answers in .*: values are made up/m);
    expect(await readFile(join(recording(), ".gitignore"), "utf8")).toBe("*\n");
    const written = await readRecording();
    // The code of the adapter spells "lindgren" itself.
    const left = ["Łucja", "O'Brien", "Warehouse", "大江", "token-1"];
    expect(left.filter((original) => written.includes(original))).toEqual([]);

    const live = (
      await run([adapter(), "employees", "--limit", "9", "--json", ...at()])
    ).json<Told>();
    const replayed = (
      await run([adapter(), "employees", "--limit", "9", "--json", "--replay", recording()])
    ).json<Told>();
    expect(ofType(replayed, "missing")).toEqual([]);
    const lengths = (told: Told) =>
      ofType(told, "record").map(({ record }) => Object.keys(record as object).length);
    expect(lengths(replayed)).toEqual(lengths(live));
  });

  test("is what a provider is checked beside", async () => {
    const { code, json, stderr } = await rollcall(
      ["provider", "check", adapter(), "--replay", recording(), "--json"],
      env,
    );
    const rows = json<{ check: string; result: string }[]>();
    const failed = rows.filter(({ result }) => result === "failed");
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
    expect(stderr).toMatch(
      /^rollcall: \d+ checks need a fake, because no recording can play them: wrong-password, .*unsaid/m,
    );
    expect(rows.filter(({ result }) => result === "passed").length).toBeGreaterThan(12);
  });

  test("tells one mistake once, with the checks that it stops", async () => {
    const { code, stdout } = await rollcall(
      [
        "provider",
        "check",
        await changeStaffdir("map: () => ({ last_name: 'Nobody' })"),
        "--replay",
        recording(),
      ],
      env,
    );
    expect(code).toBe(1);
    const told = stdout.split("\n").filter((line) => line.includes("remote_id"));
    expect(told.length).toBeLessThan(4);
    expect(told.at(-1)).toMatch(/\d+ more +failed +as records, .*: leavers, .*unchanged, /);
  });

  test("is compared with the payslips of each pay run", async () => {
    const [run1, run2] = ["1", "2"].map((id) => ({ remote_id: id, ...february }));
    const amounts = { gross: "EUR1500.00", net: "EUR1200.00", tax: "EUR300.00" };
    const port = await serveSlips({ runs: [run1, run2], slips: [{ id: "1", ...amounts }] });
    const [adapter, other] = [join(folder, "runs.js"), join(folder, "other-runs.js")];
    const ofRun = slipsSource
      .replace(
        "context) { yield (await ask(context)).slips",
        "context, _, { payrunRemoteId }) { run = payrunRemoteId; yield (await ask(context)).slips",
      )
      .replace("const days", "let run; const days")
      .replace(
        'remote_id: id, employee_remote_id: "e", payrun_remote_id: "run"',
        'employee_remote_id: "e", payrun_remote_id: run',
      )
      .replace(/gross_pay.*/, "gross_pay: null, net_pay: 1, taxes: null,");
    await writeFile(adapter, ofRun);
    await writeFile(other, ofRun.replace("net_pay: 1", 'net_pay: run === "1" ? 1 : 2'));
    const to = join(folder, "two-runs");
    const recorded = await run([adapter, ...slipArguments(port), "--record", to]);
    expect({ code: recorded.code, stderr: recorded.stderr }).toEqual({ code: 0, stderr: "" });
    const { json } = await rollcall(
      ["provider", "diff", adapter, to, "--with", other, "--json"],
      env,
    );
    expect(json()).toEqual([
      expect.objectContaining({ field: "net_pay", before: "1", after: "2" }) as unknown,
    ]);
  });

  test("names what its made-up values have spoiled in the sixth record", async () => {
    const amounts = { gross: "0.00", net: "0.00", tax: "0.00" };
    const slips = Array.from({ length: 5 }, (_, index) => ({ id: `${index}`, ...amounts }));
    const last = { id: "9", gross: "EUR1500.00", net: "EUR1200.00", tax: "EUR300.00" };
    const run1 = { remote_id: "run", ...february };
    const port = await serveSlips({ runs: [run1], slips: [...slips, last] });
    const adapter = join(folder, "six.js");
    await writeFile(
      adapter,
      slipsSource.replace("amount.slice(3)", 'amount.replace(/^[A-Z]+/i, "")'),
    );
    const to = join(folder, "six");
    const { code, stderr } = await run([adapter, ...slipArguments(port), "--record", to]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^rollcall: the recording, read again: \w+ of payslips .*contradicts/m);
  });

  test("names what its made-up values have spoiled, such as sums in a spelling of their own", async () => {
    const slips = createServer((_request, response) => {
      const amounts = { gross: "EUR1500.00", net: "EUR1200.00", tax: "EUR300.00" };
      const days = { start_date: "2026-02-01", end_date: "2026-02-28", payment_date: "2026-02-28" };
      const body = { slips: [{ id: "1", ...amounts }], runs: [{ remote_id: "run", ...days }] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await once(slips.listen(0, "127.0.0.1"), "listening");
    const { port } = slips.address() as AddressInfo;
    const to = join(folder, "spoiled");
    await writeFile(join(folder, "slips.js"), slipsSource);
    const { code, stdout, stderr } = await run([
      join(folder, "slips.js"),
      "--origin",
      `http://127.0.0.1:${port}`,
      "--record",
      to,
      "--field",
      "company=Lindgren",
      "--range",
      "2026-02-01..2026-02-28",
      "--explain",
    ]);
    slips.close();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^payslips: 1 records/m);
    expect(stdout).toMatch(/^│ {2}net_pay +120000 {2}← net, an amount$/m);
    expect(stdout).toMatch(/^│ {2}taxes\.0\.amount +30000 {2}← tax, an amount$/m);
    expect(stdout).toMatch(/^│ {2}gross_pay +150000$/m);
    expect(stderr).toMatch(
      /^rollcall: the recording, read again: (?:taxes|deductions) of payslips .*contradicts/m,
    );
  });

  test("says what a second one of the same system has otherwise", async () => {
    await fake.change?.();
    const { stdout } = await run(
      [adapter(), "employees", "--record", recording(), ...signIn()],
      typed(),
    );
    expect(stdout).toMatch(/^ {2}employees: GET \S+ is answered otherwise$/m);
  });

  test("shows what another version of an adapter makes of it", async () => {
    const other = await changeStaffdir(
      'map: (raw, context) => ({ ...employees.map(raw, context), job_title: "Changed" })',
    );
    const { code, json } = await rollcall(
      ["provider", "diff", adapter(), recording(), "--with", other, "--json"],
      env,
    );
    const rows = json<{ field: string; after: string }[]>();
    expect(code).toBe(0);
    expect(new Set(rows.map(({ field }) => field))).toEqual(new Set(["job_title"]));
    expect(rows.every(({ after }) => after === '"Changed"')).toBe(true);
    const same = await rollcall(["provider", "diff", adapter(), recording()], env);
    expect(same.stderr).toMatch(/^rollcall: \d+ records, all the same\n$/);
  });

  test("is read again whenever the adapter is saved", async () => {
    const child = spawn(
      join(projectDir, "bin/rollcall"),
      [
        "provider",
        "run",
        adapter(),
        "employees",
        "--limit",
        "1",
        "--watch",
        "--replay",
        recording(),
      ],
      { cwd: folder, env: programEnvironment(env), stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      let printed = "";
      child.stdout.on("data", (data: Buffer) => void (printed += data.toString()));
      const runs = () => printed.split(/^employees: \d+ records/m).length - 1;
      await expect.poll(runs).toBe(1);
      await writeFile(adapter(), `${await readFile(adapter(), "utf8")}\n`);
      await expect.poll(runs).toBe(2);
    } finally {
      child.kill();
      await once(child, "exit");
    }
  });
});

const february = {
  start_date: "2026-02-01",
  end_date: "2026-02-28",
  payment_date: "2026-02-28",
};

const slipArguments = (port: number): string[] => [
  `--origin=http://127.0.0.1:${port}`,
  "--field=company=Lindgren",
  "--range=2026-02-01..2026-02-28",
];

/** A system of payslips until the end of the file. */
async function serveSlips(body: object): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  server.unref();
  return (server.address() as AddressInfo).port;
}

const slipsSource = `export default (kit) => {
  const ask = async (context) => {
    const url = "https://slips.example/slips";
    return (await context.http("https://slips.example").request({ url })).json();
  };
  const days = { start_date: "2026-02-01", end_date: "2026-02-28", payment_date: "2026-02-28" };
  const money = (amount) => kit.toMinorUnits(amount.slice(3), "eur");
  const slipFields = [
    { field: "net_pay", from: ["net"], read: "an amount", isNull: "never" },
    { field: "taxes[].amount", from: ["tax"], read: "an amount", isNull: "never" },
  ];
  const toSlip = ({ id, gross, net, tax }) => ({
    remote_id: id, employee_remote_id: "e", payrun_remote_id: "run", currency: "eur", ...days,
    gross_pay: money(gross), net_pay: money(net), taxes: [{ name: "Tax", amount: money(tax) }], deductions: [], reimbursements: [],
  });
  const xhr = {
    form: kit.z.object({ company: kit.formField({ title: "Company" }) }),
    login: async () => ({ session: {} }),
    check: async () => ({ unsupported: [] }),
    identity: async () => ({ name: "Ada", email: "ada@slips.example", phone_number: null }),
    resources: {
      payruns: kit.defineReader({ async *fetch(context) { yield (await ask(context)).runs; }, map: (raw) => raw }),
      payslips: kit.defineReader({ async *fetch(context) { yield (await ask(context)).slips; }, map: toSlip, fields: () => slipFields }),
    },
  };
  return kit.defineProvider({ apiVersion: 1, name: "slips", title: "Slips", modes: { xhr } });
};
`;

/** A package whose employees are read otherwise. */
async function changeStaffdir(change: string): Promise<string> {
  const file = join(folder, "other.js");
  await writeFile(
    file,
    `import make from "./staffdir/index.js";
     export default (kit) => {
       const definition = make(kit);
       const { xhr } = definition.modes;
       const { employees } = xhr.resources;
       const resources = { ...xhr.resources, employees: { ...employees, ${change} } };
       return { ...definition, modes: { xhr: { ...xhr, resources } } };
     };`,
  );
  return file;
}

async function readRecording(): Promise<string> {
  const names = await readdir(recording());
  const texts = await Promise.all(names.map((name) => readFile(join(recording(), name), "utf8")));
  return texts.join("\n");
}

describe("provider check of a built-in provider", () => {
  test("runs beside a recording of an invented company", async () => {
    const { code, json } = await rollcall(["provider", "check", "employment-hero", "--json"], {});
    const rows = json<{ provider: string; result: string }[]>();
    expect(code).toBe(0);
    expect(new Set(rows.map(({ provider }) => provider))).toEqual(
      new Set(["employment-hero xhr", "employment-hero official"]),
    );
  });
});
