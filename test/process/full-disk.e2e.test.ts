import { mkdir, readFile } from "node:fs/promises";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { explainStart } from "../../src/start/explain-start.ts";
import { replaceDurably } from "../../src/platform/durable-files.ts";
import { unlimited } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { untilNoProcessOf } from "../support/processes.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { spawnService, startService, type ServiceProcess } from "../support/service-process.ts";
import { untilTrue } from "../support/until-true.ts";

interface Demo {
  client_id: string;
  client_secret: string;
  redirect_uri: string;
  sandbox_token: string;
}

const base = "/2023-03-01";
const disk = await mountSmallDisk("200m");
/** Too small for a cluster. */
const tinyDisk = await mountSmallDisk("20m");
if (disk === undefined)
  process.stdout.write("No test of a full disk: a small file system cannot be mounted here.\n");

afterAll(async () => {
  for (const each of [disk, tinyDisk]) {
    if (each === undefined) continue;
    await untilNoProcessOf(each.folder);
    await each.remove();
  }
});

test.skipIf(tinyDisk === undefined)(
  "a first start on a full disk says so in one line",
  async () => {
    const stateDir = join(tinyDisk!.folder, "state");
    const service = await spawnService({ STATE_DIR: stateDir });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    const lines = service.output.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
    expect(lines).toEqual([
      `Rollcall could not start. The disk of ${stateDir} is full: Postgres (initdb) could not write its data there. Make room on it, about 200 MB for a start, or choose another folder with STATE_DIR.`,
    ]);
  },
);

test.skipIf(tinyDisk === undefined)(
  "a first start on a disk without one free byte says so in one line",
  async () => {
    const stateDir = join(tinyDisk!.folder, "state");
    await mkdir(stateDir, { recursive: true });
    await tinyDisk!.fill();
    const service = await spawnService({ STATE_DIR: stateDir });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    await tinyDisk!.makeRoom();
    const lines = service.output.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
    expect(lines).toEqual([
      `Rollcall could not start. The disk of ${stateDir} is full: owner.lock could not be used. Make room on it, about 200 MB for a start, or choose another folder with STATE_DIR.`,
    ]);
  },
);

test.skipIf(tinyDisk === undefined)(
  "a small file that does not fit is told with its path, and nothing of it stays",
  async () => {
    const path = join(tinyDisk!.folder, "values.json");
    await tinyDisk!.fill();
    const error = ((): unknown => {
      try {
        return replaceDurably(path, "x".repeat(100_000));
      } catch (failure) {
        return failure;
      }
    })();
    expect(readdirSync(tinyDisk!.folder).filter((name) => name.startsWith("values"))).toEqual([]);
    await tinyDisk!.makeRoom();
    expect(explainStart(error)).toMatch(
      /^The disk of \S+values\.json\S* is full \(ENOSPC\)\. Make room on it, or choose another folder with STATE_DIR\.$/,
    );
  },
);

test.skipIf(disk === undefined)(
  "a disk that is really full: changes are 503, what is stored is served, and all works again when there is room",
  async () => {
    const { folder, fill, makeRoom } = disk!;
    const service = await startService({ STATE_DIR: join(folder, "state"), ...unlimited });
    const demo = JSON.parse(await readFile(join(folder, "state/demo.json"), "utf8")) as Demo;
    await untilTrue("the data is stored", async () => (await readStored(service, demo)) === 200);
    expect((await makeLink(service, demo)).status).toBe(201);

    await fill();
    const replies: Reply[] = [];
    await untilTrue("a change finds no room", async () => {
      replies.push(await makeLink(service, demo));
      return replies.at(-1)?.status !== 201;
    });
    expect(replies.at(-1)).toMatchObject({
      status: 503,
      headers: { "retry-after": expect.stringMatching(/^\d+$/) as string },
    });
    expect(await readStored(service, demo)).toBe(200);

    await makeRoom();
    await untilTrue("a change is made", async () => (await makeLink(service, demo)).status === 201);
    expect(await readStored(service, demo)).toBe(200);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  },
);

async function readStored({ http }: ServiceProcess, demo: Demo): Promise<number> {
  const path = `${base}/xhr/employees`;
  return (await http.get(path, { bearer: demo.sandbox_token })).status;
}

/** A change that needs room. */
async function makeLink({ http }: ServiceProcess, demo: Demo): Promise<Reply> {
  return await http.post(`${base}/management/connect-session`, {
    basic: [demo.client_id, demo.client_secret],
    json: { redirect_uri: demo.redirect_uri, scope: `${base}/xhr/employees` },
  });
}
