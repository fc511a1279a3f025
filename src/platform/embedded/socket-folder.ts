import { createHash } from "node:crypto";
import { once } from "node:events";
import { chownSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StartRefused } from "../start-refused.ts";
import { canReach, type Account, type StateFolder } from "./state-folder.ts";

/** A part of the name that Postgres gives to its socket. */
export const socketPort = 5432;
const socketName = `.s.PGSQL.${socketPort}`;
/** In bytes, without the one that ends it. */
const longestSocketPath = process.platform === "linux" ? 107 : 103;

/**
 * An empty folder for the socket of the server, which nobody but its account can enter: in the state folder, or, where
 * that has too long a path or a file system without sockets, one of the same name in the folder for temporary files.
 * No server may run.
 */
export async function prepareSocketFolder(folder: StateFolder): Promise<string> {
  const places = placesOf(folder);
  for (const place of places)
    if (isMade(place, folder.account) && (await canListen(join(place, socketName)))) return place;
  throw new StartRefused(
    `The embedded Postgres has no folder for its socket: this account cannot have ${places.join(" or ")} for itself. ` +
      "Remove what is there, or choose another folder with STATE_DIR.",
  );
}

/** They are the same each time, so that processes which used an earlier server find the next one. */
function placesOf({ home }: StateFolder): string[] {
  const name = createHash("sha256").update(home).digest("hex").slice(0, 12);
  return [join(home, "socket"), join(tmpdir(), `rollcall-${name}`)].filter(
    (path) => Buffer.byteLength(join(path, socketName)) <= longestSocketPath,
  );
}

/** False for a folder of somebody else, who could put a server of his own there. */
function isMade(path: string, account: Account | undefined): boolean {
  try {
    make(path, account);
    const { uid, mode } = lstatSync(path);
    const isOurs = uid === (account?.uid ?? process.getuid?.());
    if (!isOurs || (mode & 0o170077) !== 0o040000) return false;
    if (account && !canReach(account, dirname(path))) return false;
    for (const name of readdirSync(path)) rmSync(join(path, name), { force: true });
    return true;
  } catch {
    return false;
  }
}

function make(path: string, account: Account | undefined): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  if (account) chownSync(path, account.uid, account.gid);
}

async function canListen(path: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(path), "listening");
    server.close();
    await once(server, "close");
    return true;
  } catch {
    return false;
  }
}
