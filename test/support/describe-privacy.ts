import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { Client } from "pg";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../src/platform/embedded/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { listCasesOf } from "./data-endpoints.ts";
import { dumpTables } from "./dump-tables.ts";
import { encodings, MarkerScan } from "./marker-scan.ts";
import { mark, plainMarkers } from "./markers.ts";
import { PrivacyRun } from "./privacy-run.ts";
import { untilNoProcessOf } from "./processes.ts";
import { makeUsedStateDir } from "./program-environment.ts";
import { freePort } from "./redis-server.ts";
import { startTraceCollector, type TraceCollector } from "./trace-collector.ts";
import { watchRedis } from "./watch-redis.ts";

/** Promises 4 and 5: no stored data and no log contains a usable credential or personal data. */
export function describePrivacy(redisUrl?: string): void {
  describe("a whole run with marked data", () => {
    let folder: Awaited<ReturnType<typeof makeUsedStateDir>>;
    let run: PrivacyRun;
    let tables: string;
    let metrics: string;
    let collector: TraceCollector;
    const redisPrefix = `privacy-${randomUUID()}`;
    const redisTraffic: string[] = [];
    let redisContent: string[] = [];

    beforeAll(async () => {
      folder = await makeUsedStateDir();
      const watch =
        redisUrl && (await watchRedis(redisUrl, (args) => void redisTraffic.push(args.join(" "))));
      const metricsPort = String(await freePort());
      collector = await startTraceCollector();
      run = await PrivacyRun.start(folder.stateDir, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        METRICS_PORT: metricsPort,
        ...(redisUrl && { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix }),
      });
      await run.walk();
      tables = await run.dumpTables();
      metrics = await (await request(`http://127.0.0.1:${metricsPort}/metrics`)).body.text();
      if (redisUrl) redisContent = await readRedis(redisUrl, redisPrefix);
      await run.service.stop();
      if (watch) watch.stop();
      await untilNoProcessOf(folder.stateDir);
    }, 180_000);
    afterAll(async () => {
      await run.service.stop();
      await collector.close();
      await folder.remove();
    });

    test("the run did all its parts: it read the data and met every failure", () => {
      expect(run.outcomes).toEqual({
        "a chosen secret": 200,
        // The lists, the payslips of a run, the identity, one employee and those of one status.
        "the data that a client reads": Array.from(
          { length: listCasesOf("xhr").length + 4 },
          () => "200 true",
        ),
        webhooks: [
          { status: 500, hasMarker: true },
          { status: 204, hasMarker: true },
        ],
        "what provider failures are answered with": {
          expired: 401,
          limited: 202,
          unmapped: 500,
          broken: 500,
          stumble: 500,
          upstream: 202,
        },
        "refused sign-ins at the command line": {
          refused: "incorrect_username_or_password",
          field: "invalid_field",
          down: "down",
          bug: "bug",
          crash: "bug",
          otp: "incorrect_mfa_or_otp",
        },
        "a second factor at the command line": 201,
        "the way through the pages": [
          "sign-in",
          "sign-in",
          "sign-in",
          "sign-in",
          "answer",
          "answer",
          "left",
        ],
        "the code of the pages": 201,
        "a code that is sent again": 409,
        "a disconnect": 200,
      });
    });

    test("no log of any level contains a marker", () => {
      const scan = new MarkerScan(run.credentials);
      expect(run.service.output).toContain('"level":50');
      scan.scan("log of the service", run.service.output);
      expect([...scan.found]).toEqual([]);
    });

    test("no metric contains a marker", () => {
      const scan = new MarkerScan(run.credentials);
      const nulled = metrics
        .split("\n")
        .filter((line) => line.startsWith("rollcall_nulled_fields_total{"));
      expect(nulled.map((line) => /field="([^"]*)"/.exec(line)?.[1])).toEqual([
        "employment_type",
        "termination_date",
      ]);
      scan.scan("metrics", metrics);
      expect([...scan.found]).toEqual([]);
    });

    test("no trace contains a marker", () => {
      const scan = new MarkerScan(run.credentials);
      const names = new Set(collector.spans.map(({ name }) => name));
      expect([...names]).toEqual(
        expect.arrayContaining(["sign-in", "read", "adapter process", "delivery", "POST"]),
      );
      expect(collector.faults).toEqual([]);
      scan.scan("traces", Buffer.concat(collector.requests.map(({ body }) => body)));
      expect([...scan.found]).toEqual([]);
    });

    test("an error of the command line contains nothing that was typed", () => {
      const scan = new MarkerScan(run.credentials);
      expect(run.commandErrors.join("")).not.toBe("");
      scan.scan("command line", run.commandErrors.join("\n"));
      expect([...scan.found]).toEqual([]);
    });

    test("no table contains a marker", () => {
      const scan = new MarkerScan(run.credentials);
      for (const table of [
        "public.clients",
        "public.connections",
        "public.snapshots",
        "public.tokens",
        "public.connect_flows",
      ])
        expect(tables).toContain(`${table}:\n`);
      scan.scan("tables", tables);
      expect([...scan.found]).toEqual([]);
    });

    test("no file of the data folder contains a marker, the write-ahead log included", async () => {
      const scan = new MarkerScan(run.credentials);
      const scannedBytes = await scan.scanFolder(folder.stateDir, { except: ["demo.json"] });
      expect(scannedBytes).toBeGreaterThan(30_000_000);
      expect([...scan.found]).toEqual([]);
    });

    if (!redisUrl)
      process.stdout.write(
        "The scan of Redis is left out: this run has no Redis. The run in test/redis makes the scan.\n",
      );
    test.skipIf(!redisUrl)("no key, no value and no command of Redis contains a marker", () => {
      const scan = new MarkerScan(run.credentials);
      expect(redisTraffic.some((command) => command.includes(redisPrefix))).toBe(true);
      expect(redisContent.length).toBeGreaterThan(0);
      scan.scan("commands to Redis", redisTraffic.join("\n"));
      scan.scan("Redis", redisContent.join("\n"));
      expect([...scan.found]).toEqual([]);
    });

    test("the scan finds planted markers in every encoding", async () => {
      const planted = {
        ...Object.fromEntries(
          Object.keys(encodings).map((encoding) => [
            encoding,
            encode(encoding, `{"iban":"${mark("planted")}"}`),
          ]),
        ),
        number: plainMarkers.payRate,
      };
      const postgres = await startEmbeddedPostgres({
        stateDir: folder.stateDir,
        log: createLog({ level: "silent" }),
      });
      const client = new Client({ connectionString: postgres.databaseUrl });
      await client.connect();
      await client.query("create table planted (how text, value bytea)");
      for (const [how, value] of Object.entries(planted))
        await client.query("insert into planted values ($1, $2)", [how, Buffer.from(value)]);
      await client.end();
      const inTables = new MarkerScan([]);
      inTables.scan("tables", await dumpTables(postgres.databaseUrl));
      await postgres.stop();

      const inFolder = new MarkerScan([]);
      await inFolder.scanFolder(folder.stateDir);
      expect(inTables.found.size).toBeGreaterThan(0);
      // The marker is in upper case by itself.
      for (const encoding of Object.keys(encodings).filter((name) => name !== "upper case"))
        expect([...inFolder.found].join("\n")).toMatch(
          new RegExp(`base/.*: QZ7PXW4KV ${encoding}:`),
        );
      expect([...inFolder.found].join("\n")).toMatch(/pg_wal\/.*: QZ7PXW4KV raw:/);
      expect([...inFolder.found].join("\n")).toContain(`: ${plainMarkers.payRate} raw`);
    });
  });
}

/** Encodes the whole text, as a leak would. */
function encode(encoding: string, text: string): string | Buffer {
  switch (encoding) {
    case "base64":
    case "hex":
      return Buffer.from(text).toString(encoding);
    default:
      return encodings[encoding]?.(text)[0] ?? text;
  }
}

async function readRedis(url: string, prefix: string): Promise<string[]> {
  const redis = new Redis(url);
  const keys = (await redis.keys("*")).filter((key) => key.startsWith(prefix));
  const values = await Promise.all(
    keys.map(async (key) => `${key} ${JSON.stringify(await readKey(redis, key))}`),
  );
  redis.disconnect();
  return values;
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case "string":
      return await redis.get(key);
    case "hash":
      return await redis.hgetall(key);
    case "list":
      return await redis.lrange(key, 0, -1);
    case "set":
      return await redis.smembers(key);
    case "zset":
      return await redis.zrange(key, "0", "-1");
    case "stream":
      return await redis.xrange(key, "-", "+");
    default:
      return undefined;
  }
}
