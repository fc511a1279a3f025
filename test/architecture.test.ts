import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const source = resolve(import.meta.dirname, "../src");

/** Who may import whose door, beyond what everybody may. */
const arrows: Record<string, readonly string[]> = {
  audit: [],
  clients: [],
  connections: [],
  tokens: ["clients", "connections"],
  providers: [],
  connect: ["clients", "providers", "connections", "tokens"],
  reading: ["providers", "connections"],
  sync: ["providers", "connections", "reading"],
  data: ["clients", "connections", "sync", "tokens"],
  events: ["clients", "connections", "sync"],
  webhooks: ["clients", "connections", "events", "sync"],
  sandbox: ["clients", "connect", "connections", "providers", "tokens", "webhooks"],
  recordings: ["providers"],
  conformance: ["providers", "reading", "recordings"],
  workbench: ["providers", "reading", "recordings"],
  guides: [],
  keys: [],
  console: [
    "clients",
    "connect",
    "connections",
    "events",
    "keys",
    "providers",
    "reading",
    "sandbox",
    "sync",
    "tokens",
    "webhooks",
  ],
  config: ["console", "providers"],
};
const openToAll = ["platform", "model", "audit"];
/** Besides the index.ts of each room. */
const secondDoors = [join(source, "reading/records/index.ts")];
/** They put the rooms together, so they see all of them. */
const composers = ["main", "start", "cli"];

interface Import {
  file: string;
  room: string;
  target: string;
  targetRoom: string;
  isOfTypes: boolean;
  /** By an expression, when it is come to. */
  isLater: boolean;
}

const imports = listFiles(source).flatMap(readImports);
const ours = imports.filter(({ target }) => target.startsWith(source));

describe("the arrows between the rooms", () => {
  test("a room imports only the rooms that it may", () => {
    const wrong = ours.filter(
      ({ room, targetRoom }) =>
        room in arrows &&
        targetRoom !== room &&
        ![...openToAll, ...(arrows[room] ?? [])].includes(targetRoom),
    );
    expect(
      wrong.map(
        ({ file, room, targetRoom }) =>
          `${file}: ${room} may not import ${targetRoom}; it may ask ${(arrows[room] ?? []).join(", ") || "nobody"}`,
      ),
    ).toEqual([]);
  });

  test("a room is entered by its door alone", () => {
    const wrong = ours.filter(
      ({ room, target, targetRoom }) =>
        targetRoom in arrows &&
        targetRoom !== room &&
        ![join(source, targetRoom, "index.ts"), ...secondDoors].includes(target),
    );
    expect(
      wrong.map(
        ({ file, target }) =>
          `${file}: import the index.ts of the room instead of ${relative(source, target)}`,
      ),
    ).toEqual([]);
  });

  test("platform and model import nothing of ours", () => {
    const wrong = ours.filter(
      ({ room, targetRoom }) => ["platform", "model"].includes(room) && targetRoom !== room,
    );
    expect(wrong.map(({ file, targetRoom }) => `${file} may not import ${targetRoom}`)).toEqual([]);
  });

  test("model imports zod, and no other package", () => {
    const packages = imports.filter(
      ({ room, target }) => room === "model" && !target.startsWith(source),
    );
    expect(new Set(packages.map(({ target }) => target))).toEqual(new Set(["zod"]));
  });

  test("every file belongs to a room, to platform or model, or is one that puts rooms together", () => {
    const known = new Set([...Object.keys(arrows), ...composers, "platform", "model"]);
    expect(
      [...new Set(imports.map(({ room }) => room))].filter((room) => !known.has(room)),
    ).toEqual([]);
  });

  test("an adapter knows no database, queue, route or other adapter", () => {
    const wrong = imports.filter(({ file, target }) => {
      const adapter = /^providers\/([a-z-]+)\//.exec(file)?.[1];
      if (!adapter || adapter === "kit") return false;
      const allowed = [
        join(source, "providers", adapter),
        join(source, "providers/conformance.ts"),
        join(source, "providers/contract.ts"),
        join(source, "providers/errors.ts"),
        join(source, "providers/form-field.ts"),
        join(source, "providers/kit"),
        join(source, "providers/recipe.ts"),
        join(source, "providers/request-oauth2-tokens.ts"),
        join(source, "providers/source-records.ts"),
        join(source, "model"),
      ];
      const types = [join(source, "platform/clock.ts"), join(source, "platform/outbound/index.ts")];
      return target.startsWith(source)
        ? ![...allowed, ...types].some((start) => target.startsWith(start))
        : !["zod", "node:crypto", "node:timers/promises"].includes(target);
    });
    expect(
      wrong.map(
        ({ file, target }) =>
          `${file} may not import ${target.replace(source, "")}; the host hands it what it needs`,
      ),
    ).toEqual([]);
  });
});

test("requests leave by the guarded agent: nobody else has undici but for its types", () => {
  const asksItself = /^(?:cli\/doctor\/(?:address|machine)-checks|start\/warm-up)\.ts$/;
  const wrong = imports.filter(
    ({ file, target, isOfTypes }) =>
      ["undici", "node:https", "node:http2"].includes(target) &&
      !isOfTypes &&
      !file.startsWith("platform/outbound/") &&
      !asksItself.test(file),
  );
  expect(
    wrong.map(({ file, target }) => `${file} may not import ${target}; ask platform/outbound`),
  ).toEqual([]);
});

test("OpenTelemetry is loaded by a process that has a collector, and by no other", () => {
  const withSdk = join(source, "platform/tracing/sdk-tracing.ts");
  const users = imports.filter(
    ({ target, isOfTypes }) => target.startsWith("@opentelemetry/") && !isOfTypes,
  );
  const files = new Set(users.map(({ file }) => file));
  expect([...files]).toEqual(["platform/tracing/sdk-tracing.ts"]);
  const loading = ours.filter(({ target, isOfTypes }) => target === withSdk && !isOfTypes);
  expect(loading.map(({ file, isLater }) => ({ file, isLater }))).toEqual([
    { file: "platform/tracing/open-tracing.ts", isLater: true },
  ]);
});

describe("one place for each thing", () => {
  const files = listFiles(source).map((path) => ({
    path: relative(source, path),
    text: readFileSync(path, "utf8"),
  }));

  test("the environment is read in read-config.ts alone", () => {
    expect(
      files
        .filter(({ path, text }) => path !== "config/read-config.ts" && /process\.env\b/.test(text))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test("the time comes from clock.ts alone", () => {
    const wrong = files.filter(
      ({ path, text }) => path !== "platform/clock.ts" && /new Date\(\)|Date\.now\(\)/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("randomness comes from node:crypto", () => {
    expect(
      files.filter(({ text }) => text.includes("Math.random")).map(({ path }) => path),
    ).toEqual([]);
  });

  test("a room's tables are named by that room alone", () => {
    const owners: Record<string, string> = {
      clients: "clients",
      client_secrets: "clients",
      client_logos: "clients",
      connections: "connections",
      connection_labels: "connections",
      tokens: "tokens",
      authorization_codes: "tokens",
      reads: "reading",
      snapshots: "sync",
      issued_payruns: "sync",
      read_durations: "reading",
      read_parts: "reading",
      provider_states: "reading",
      quota_counts: "reading",
      quota_pauses: "reading",
      quota_places: "reading",
      quota_waits: "reading",
      audit_entries: "audit",
      audit_links: "audit",
      audit_head: "audit",
      audit_keys: "audit",
      connect_flows: "connect",
      console_counts: "console",
      console_links: "console",
      console_looks: "console",
      console_minutes: "console",
      console_problems: "console",
      console_sessions: "console",
      console_used_sign_ins: "console",
      known_sources: "connect",
      sign_in_hours: "connect",
      sign_in_throttle: "connect",
      events: "events",
      event_head: "events",
      webhook_endpoints: "webhooks",
      event_endpoints: "webhooks",
      polls: "webhooks",
      polled_lists: "webhooks",
      receiver_states: "webhooks",
      deliveries: "webhooks",
      delivery_attempts: "webhooks",
      master_keys: "keys",
      running_processes: "keys",
      binding_moments: "keys",
      bound_connections: "connections",
    };
    const statements = files.flatMap(({ path, text }) =>
      [...text.matchAll(/["`]\s*(?:select|insert|update|delete|with)\b[^"`]*/g)].map((match) => ({
        path,
        sql: match[0],
      })),
    );
    const uses = statements.flatMap(({ path, sql }) =>
      [...sql.matchAll(/\b(?:from|into|update|join) ([a-z_]+)\b/g)].map((match) => ({
        path,
        table: match[1] ?? "",
      })),
    );
    expect(uses.length).toBeGreaterThan(20);
    expect(listTables().filter((table) => !(table in owners))).toEqual([]);
    expect(
      uses.filter(({ path, table }) => table in owners && !path.startsWith(`${owners[table]}/`)),
    ).toEqual([]);
  });

  /** What a file waits for somebody else by, or starts a program by. Imports of types are taken out before. */
  const waiting = new RegExp(
    [
      /\b(?:from |import\()"(?:undici|ioredis|bullmq|node:(?:child_process|dns|dns\/promises|timers\/promises))"/,
      /\{[^}]*\b(?:connect|createConnection|createServer|get|request|Socket|Worker)\b[^}]*\} from "node:(?:https?|net|tls|worker_threads)"/,
      /\bimport\("node:(?:https?|net|tls|worker_threads)"/,
      /\bnew Promise\([^;]{0,80}\bsetTimeout\b/,
      /\bfetch\(/,
    ]
      .map(({ source: part }) => part)
      .join("|"),
  );
  const isWaiting = (text: string): boolean =>
    waiting.test(text.replaceAll(/^import type [^;]*;$/gm, "").replaceAll(/\btype \w+/g, ""));
  const ofCommand = "a command; it signs in and enqueues by the rooms, which refuse it";
  const ofDatabase = "the database itself";
  const ofEmbedded = "the embedded Postgres, without which there is no transaction";
  const ofAdapter = "an adapter, which runs in a call of one";
  const ofCheck = "a check of a provider, which needs no database";
  /** They wait, and no work of a transaction gets there. A folder is that of one adapter. */
  const outsideOfTransactions: Readonly<Record<string, string>> = {
    "cli/doctor/address-checks.ts": ofCommand,
    "cli/doctor/machine-checks.ts": ofCommand,
    "cli/poll-commands.ts": ofCommand,
    "cli/provider-run.ts": ofCommand,
    "cli/receive-webhooks.ts": ofCommand,
    "cli/run-questions.ts": ofCommand,
    "cli/sign-in-at-terminal.ts": ofCommand,
    "config/secret-command.ts": "runs before there is a database",
    "conformance/failure-checks.ts": ofCheck,
    "conformance/probe-checks.ts": ofCheck,
    "conformance/orders-of-answers.ts": ofCheck,
    "conformance/watch-provider.ts": ofCheck,
    "connect/routes/example-routes.ts": "a page of local mode",
    "guides/reference/samples.ts": "text of a sample",
    "platform/belt/fasten-belt.ts": "a child process, which has no database",
    "platform/db/listener.ts": ofDatabase,
    "platform/db/client-watch.ts": ofDatabase,
    "platform/db/transaction.ts": ofDatabase,
    "platform/embedded/cluster.ts": ofEmbedded,
    "platform/embedded/postmaster.ts": ofEmbedded,
    "platform/embedded/socket-folder.ts": ofEmbedded,
    "platform/embedded/supervised-server.ts": ofEmbedded,
    "platform/embedded/supervisor-process.ts": ofEmbedded,
    "platform/embedded/supervisor.ts": ofEmbedded,
    "platform/http/server.ts": "a port, which is claimed at the start",
    "platform/outbound/query-dns.ts": "a part of an outgoing request, and of the doctor",
    "platform/queue/backend.ts": "the loop of a worker; a caller comes by queue.ts",
    "platform/queue/mended-bullmq.ts": "the loop of a worker",
    "providers/bamboohr/": ofAdapter,
    "providers/contract.ts": "text of an example",
    "providers/employment-hero/": ofAdapter,
    "providers/factorial/": ofAdapter,
    "providers/frappe-hr/": ofAdapter,
    "providers/kit/lookup.ts": ofAdapter,
    "providers/gusto/": ofAdapter,
    "providers/hibob/": ofAdapter,
    "providers/odoo/": ofAdapter,
    "providers/personio/": ofAdapter,
    "providers/read-context.ts": ofAdapter,
    "providers/sandbox/": ofAdapter,
    "providers/sage-hr/": ofAdapter,
    "providers/staffology/": ofAdapter,
    "providers/xero/": ofAdapter,
    "recordings/replay-server.ts": ofCheck,
    "start/metrics-server.ts": "a port, which is claimed at the start",
    "start/warm-up.ts": "a part of the start",
    "workbench/child/watch-exchanges.ts": ofCommand,
  };

  test("who waits for somebody else refuses it in a transaction", () => {
    const open = files.filter(
      ({ path, text }) =>
        isWaiting(text) &&
        !text.includes("refuseInTransaction(") &&
        !Object.keys(outsideOfTransactions).some((start) => path.startsWith(start)),
    );
    expect(open.map(({ path }) => path)).toEqual([]);
    const unused = Object.keys(outsideOfTransactions).filter(
      (start) => !files.some(({ path, text }) => path.startsWith(start) && isWaiting(text)),
    );
    expect(unused).toEqual([]);
  });

  test("what may be waited for by several ways refuses it in each", () => {
    const ways: Readonly<Record<string, readonly string[]>> = {
      "platform/db/listener.ts": ["waitFor"],
      "platform/queue/queue.ts": ["enqueue", "isIdle"],
      "reading/child/adapter-process.ts": ["run", "declared"],
    };
    const open = Object.entries(ways).flatMap(([path, methods]) => {
      const text = files.find((file) => file.path === path)?.text ?? "";
      return methods.filter(
        (name) => !new RegExp(`async ${name}\\([^;]*\\{\\s+refuseInTransaction\\(`).test(text),
      );
    });
    expect(open).toEqual([]);
  });

  test("a statement takes the time from service_now()", () => {
    const others: Readonly<Record<string, string>> = {
      "cli/doctor/database-checks.ts": "compares the time of the server with that of service_now()",
      "platform/db/ask-server.ts": "since when a session of the server is idle",
      "platform/db/migrate.ts":
        "since when a transaction of the server is open; before a migration there may be no service_now()",
      "webhooks/post-webhook.ts": "a function of its own, which asks the clock",
    };
    const otherTime =
      /(?<![\w.#])(?:now\(\)(?!:)|(?:clock|statement|transaction)_timestamp\(\)|timeofday\(\)|current_(?:timestamp|date|time)\b|localtime(?:stamp)?\b)/i;
    const found = files.filter(({ text }) => otherTime.test(text)).map(({ path }) => path);
    expect(found.toSorted()).toEqual(Object.keys(others));
  });

  test("a door has at most ten values", () => {
    const doors = files.filter(
      ({ path }) => /^[a-z]+\/index\.ts$/.test(path) && path !== "model/index.ts",
    );
    const counts = doors.map(({ path, text }) => ({
      path,
      values: [...text.matchAll(/export \{([^}]*)\}/g)]
        .flatMap((match) => (match[1] ?? "").split(","))
        .filter((name) => name.trim() !== "" && !name.includes("type ")).length,
    }));
    expect(counts.filter(({ values }) => values > 10)).toEqual([]);
  });
});

describe.each([
  ["runs adapters", "reading/child/"],
  ["checks a provider", "conformance/"],
])("a child process that %s", (_work, own) => {
  const loaded = loadedBy(
    join(source, own.replace("conformance/", "conformance/child/"), "entry.ts"),
  );

  test("loads providers, model, records and tools, and nothing that it must not have", () => {
    const tools =
      "clock compression describe-error give-back-memory is-record let-others-run list-files open-transaction packed-list plain-words random retry turns with-timeout".split(
        " ",
      );
    const allowed = [
      own,
      "providers/",
      "model/",
      "reading/records/",
      "recordings/",
      "platform/belt/",
      "platform/crypto/",
      "platform/outbound/",
      ...tools.map((name) => `platform/${name}.ts`),
    ];
    const files = loaded.filter((target) => target.startsWith(source));
    expect(files.length).toBeGreaterThan(50);
    expect(
      files
        .map((file) => relative(source, file))
        .filter((file) => !allowed.some((start) => file.startsWith(start))),
    ).toEqual([]);
  });

  test("loads no package that could reach the database, the queue or the network as a server", () => {
    const packages = loaded.filter(
      (target) => !target.startsWith(source) && !target.startsWith("node:"),
    );
    expect(packages.toSorted()).toEqual(["tough-cookie", "undici", "zod"]);
  });
});

test("a child process starts with the code of no system: each is loaded with its first call", () => {
  const systems = listFiles(join(source, "providers")).filter((path) =>
    /^[^/]+\/index\.ts$/.test(relative(join(source, "providers"), path)),
  );
  const atStart = new Set(
    loadedBy(join(source, "reading/child/serve-calls.ts"), { isLater: false }),
  );
  const [first, ...others] = systems.filter((path) => atStart.has(path));
  // The API decides what the sandbox does next, and has its code.
  expect([relative(source, first ?? ""), others]).toEqual(["providers/sandbox/index.ts", []]);
  expect(systems.length).toBeGreaterThan(10);
});

/** Every file and package that a program loads, at once or later. Imports of types alone load nothing. */
function loadedBy(program: string, { isLater: withLater } = { isLater: true }): string[] {
  const loaded = new Set([program]);
  for (const path of loaded) {
    if (!path.startsWith(source)) continue;
    for (const { target, isOfTypes, isLater } of readImports(path))
      if (!isOfTypes && (withLater || !isLater)) loaded.add(target);
  }
  return [...loaded];
}

/** The tables that the migrations make, without those that a later one has dropped. */
function listTables(): string[] {
  const folder = resolve(source, "../migrations");
  const sql = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8").replaceAll(/^\s*--.*$/gm, ""))
    .join("\n");
  const named = (pattern: RegExp): string[] =>
    [...sql.matchAll(pattern)].map(([, name = ""]) => name);
  const dropped = new Set(named(/\bdrop table (?:if exists )?([a-z_]+)/g));
  const made = named(/\bcreate (?:unlogged )?table (?:if not exists )?([a-z_]+)/g);
  return made.filter((name) => !dropped.has(name));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

function readImports(path: string): Import[] {
  const file = relative(source, path);
  const text = readFileSync(path, "utf8");
  return [
    ...text.matchAll(
      /(?:^|\n)(?:import|export)\b( type\b)?[^;]*?\bfrom "([^"]+)"|\bimport(?:\(| )"([^"]+)"/g,
    ),
  ].map((match) => {
    const specifier = match[2] ?? match[3] ?? "";
    const target = specifier.startsWith(".") ? resolve(dirname(path), specifier) : specifier;
    return {
      file,
      room: roomOf(path),
      target,
      targetRoom: target.startsWith(source) ? roomOf(target) : "",
      isOfTypes: match[1] !== undefined,
      isLater: match[0].includes("import("),
    };
  });
}

function roomOf(path: string): string {
  return relative(source, path).split("/")[0]?.replace(/\.ts$/, "") ?? "";
}
