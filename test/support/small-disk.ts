import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own. */
export interface SmallDisk {
  folder: string;
  /** Resolves when nothing more can be written. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** No process may use it any more. */
  remove(): Promise<void>;
}

/** Of a size such as "200m". Undefined where none may be mounted. */
export async function mountSmallDisk(size: string): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], {
      stdio: "ignore",
    });
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
  // The account of Postgres has to pass through.
  await chmod(folder, 0o755);
  const filler = join(folder, "filler");
  return {
    folder,
    fill: () => writeUntilFull(filler),
    makeRoom: () => rm(filler, { force: true }),
    remove: async () => {
      execFileSync("umount", [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

/** In large pieces first, because small ones take their time, and in small ones until no page is left. */
async function writeUntilFull(file: string): Promise<void> {
  for (const size of [4_194_304, 65_536, 4_096]) await appendUntilFull(file, Buffer.alloc(size));
}

async function appendUntilFull(file: string, bytes: Buffer): Promise<void> {
  try {
    for (;;) await appendFile(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
