import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "./redis-server.ts";
import { untilTrue } from "./until-true.ts";

const installations = "/usr/lib/postgresql";
const programs = ["postgres", "initdb", "pg_dump", "pg_restore"];

/** A Postgres that was installed with its tools; the embedded one has none. Undefined where there is none. */
export function findDumpTools(): string | undefined {
  const versions = existsSync(installations) ? readdirSync(installations) : [];
  return versions
    .filter((version) => Number.parseInt(version, 10) >= 15)
    .map((version) => join(installations, version, "bin"))
    .find((bin) => programs.every((program) => existsSync(join(bin, program))));
}

/** A server of its own, with an empty database. Postgres does not run as root. */
export async function startDumpServer(
  bin: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-dump-"));
  const account = process.getuid?.() === 0 ? findAccount() : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, "data");
  const options = { cwd: "/", ...account };
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "rollcall", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    { ...options, stdio: "ignore" },
  );
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, stdio: "ignore" },
  );
  const url = `postgres://rollcall@127.0.0.1:${port}/postgres`;
  await untilTrue("the server of the dumps listens", () => isListening(url));
  return {
    url,
    stop: async () => {
      server.kill("SIGINT");
      await once(server, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function findAccount(): { uid: number; gid: number } {
  return { uid: readId("-u"), gid: readId("-g") };
}

function readId(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

async function isListening(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
