import { createHash } from "node:crypto";
import { once } from "node:events";
import { chownSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { socketName, type ServerAddress } from "./server-address.ts";
import { canReach, type Account, type StateFolder } from "./state-folder.ts";

const port = 5432;
/** In bytes, without the one that ends it. */
const longestSocketPath = process.platform === "linux" ? 107 : 103;

/**
 * An empty folder for the socket of the server, which nobody but its account can enter: in the state folder, or, where
 * that has too long a path or a file system without sockets, one of the same name in the folder for temporary files.
 * Undefined when neither will do. No server may run.
 */
export async function prepareSocketFolder(folder: StateFolder): Promise<ServerAddress | undefined> {
  for (const host of placesOf(folder))
    if (isMade(host, folder.account) && (await canListen(join(host, socketName(port)))))
      return { host, port };
  return undefined;
}

/** They are the same each time, so that processes which used an earlier server find the next one. */
function placesOf({ home }: StateFolder): string[] {
  const name = createHash("sha256").update(home).digest("hex").slice(0, 12);
  return [join(home, "socket"), join(tmpdir(), `rollcall-${name}`)].filter(
    (path) => Buffer.byteLength(join(path, socketName(port))) <= longestSocketPath,
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
