import { createInterface } from "node:readline";
import { Redis } from "ioredis";

/**
 * Shows every command that this Redis is given from now on, so that values which are deleted later are seen too.
 * `redis.monitor()` of ioredis does this as well, and throws when a command of another client comes in the packet that
 * answers it. So ioredis only makes the connection, and what comes on it is read here.
 */
export async function watchRedis(
  server: string | Redis,
  show: (args: string[]) => void,
): Promise<{ stop: () => void }> {
  const own = { lazyConnect: true };
  const redis = typeof server === "string" ? new Redis(server, own) : server.duplicate(own);
  await redis.connect();
  const { stream } = redis;
  stream.removeAllListeners("data");
  const watching = Promise.withResolvers<void>();
  createInterface({ input: stream }).on("line", (line) => {
    if (line === "+OK") watching.resolve();
    else if (line.startsWith("-")) watching.reject(new Error(line));
    else show(argumentsOf(line));
  });
  stream.write("MONITOR\r\n");
  await watching.promise;
  return { stop: () => redis.disconnect() };
}

/** Of a line such as `+1339518083.107412 [0 127.0.0.1:60866] "set" "key" "value"`. */
function argumentsOf(line: string): string[] {
  const quoted = line.slice(line.indexOf('"') + 1, -1).split('" "');
  return quoted.map((each) => each.replaceAll('\\"', '"'));
}
