import { connect } from "node:net";
import { createInterface } from "node:readline";

/**
 * Shows every command that this Redis is given from now on, so that values which are deleted later are seen too.
 * `redis.monitor()` of ioredis does this as well, and throws when a command of another client comes in the packet that
 * answers it.
 */
export async function watchRedis(
  url: string,
  show: (args: string[]) => void,
): Promise<{ stop: () => void }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const watching = Promise.withResolvers<void>();
  socket.on("error", watching.reject);
  createInterface({ input: socket }).on("line", (line) => {
    if (line === "+OK") watching.resolve();
    else show(line.slice(line.indexOf('"') + 1, -1).split('" "'));
  });
  socket.write("MONITOR\r\n");
  await watching.promise;
  return { stop: () => void socket.destroy() };
}
