import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { serverAt, type Server } from "./load.ts";

/** What `bin/start` gives to the service. */
const flags = ["--max-semi-space-size=16"];
const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** A server of this folder in a process of its own. It gets `given`, and answers with its port. */
export async function startServer(
  file: string,
  given: object | string,
  options: {
    defer: (what: string, end: () => Promise<unknown>) => void;
    /** What else works for it. */
    stores?: () => readonly number[];
  },
): Promise<Server> {
  const { defer, stores = () => [] } = options;
  const entry = fileURLToPath(new URL(file, import.meta.url));
  const env = { ...process.env, ...allocator, NODE_ENV: "production" };
  const child = fork(entry, { serialization: "advanced", execArgv: flags, env });
  child.send(given);
  const [port] = (await once(child, "message")) as [number];
  const server = serverAt(`http://127.0.0.1:${port}`, () => [child.pid ?? 0, ...stores()]);
  defer(file, async () => {
    await server.pool.destroy();
    child.disconnect();
  });
  return server;
}
