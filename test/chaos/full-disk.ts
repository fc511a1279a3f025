import { setTimeout as delay } from "node:timers/promises";
import { untilNoProcessOf } from "../support/processes.ts";
import { mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import type { StoreFault } from "./own-stores.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import { measureStoreFault } from "./store-fault.ts";

export const fullDisk: Row = {
  name: "full-disk",
  target:
    "the disk of Postgres is full under load, and has room again: only 200, 202 and 503, none after 20 s; everything " +
    "goes within 5 s of it; no read, token, code or change is lost",
  limitMinutes: 30,
  run: measure,
};

const size = "400m";

async function measure(context: RowContext): Promise<Measured> {
  const disk = await mountSmallDisk(size);
  if (!disk) throw new Error("a small file system cannot be mounted here: it takes root");
  context.defer("the small disk", async () => {
    await untilNoProcessOf(disk.folder);
    await disk.remove();
  });
  const { onRedis: hasOwnStores } = context;
  const stage = await context.stage(
    { SNAPSHOT_FRESH_SECONDS: "5" },
    { storesFolder: disk.folder, hasOwnStores },
  );
  const fault: StoreFault = async (lastsMs) => {
    await keepFull(disk, lastsMs);
    // An operator's supervisor starts a server again that could not go on.
    if (hasOwnStores) await stage.postgres.untilReady();
  };
  return await measureStoreFault(context, stage, { name: "a full disk", fault });
}

/** What the server gives back is taken again. */
async function keepFull(disk: SmallDisk, lastsMs: number): Promise<void> {
  await disk.fill();
  const until = performance.now() + lastsMs;
  while (performance.now() < until) {
    await disk.fill();
    await delay(100);
  }
  await disk.makeRoom();
}
