import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import { postWebhook } from "../../src/webhooks/post-webhook.ts";

/**
 * A program for a network namespace of its own. In it every address that the service must not reach
 * is real and has a listener, and a name server gives false answers. The program posts a webhook to
 * each of them, as the sender does, and prints the addresses that were reached.
 */
interface Attempt {
  url: string;
  reason: string;
}

const ports = [80, 443, 8_080];
const publicAddress = "93.184.216.34";
const namedAddress = "198.18.0.1";
const redirectPort = 8_088;
const reached = new Map<string, number>();

function noteConnection(socket: Socket): void {
  const address = (socket.localAddress ?? "").replace(/^::ffff:/, "");
  reached.set(address, (reached.get(address) ?? 0) + 1);
  socket.destroy();
}

/** Listens on all addresses of the namespace. */
async function startCanaries(): Promise<void> {
  for (const port of ports)
    await once(createServer(noteConnection).listen(port, "::"), "listening");
  const redirect = createHttpServer((request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: "http://10.1.2.3:8080/" }).end(),
  );
  await once(redirect.listen(redirectPort, namedAddress), "listening");
}

/** The answers for each name, one after the other. The last one is repeated. */
const zone: Record<string, readonly (readonly string[])[]> = {
  "private.test": [["10.1.2.3"]],
  "loopback.test": [["127.0.0.1"]],
  localhost: [["127.0.0.1"]],
  "metadata.test": [["169.254.169.254"]],
  "mixed.test": [[publicAddress, "10.1.2.3"]],
  "mixed-first.test": [["192.168.1.1", publicAddress]],
  "six.test": [["fd00::1"]],
  "six-mixed.test": [[publicAddress, "fd00:ec2::254"]],
  "mapped.test": [["::ffff:10.1.2.3"]],
  "rebinding.test": [
    [publicAddress],
    ["10.1.2.3"],
    [publicAddress],
    ["127.0.0.1"],
    ["169.254.169.254"],
  ],
  "public.test": [[publicAddress]],
};

/** The smallest name server that a resolver accepts. */
function answerQuery(query: Buffer, asked: Map<string, number>): Buffer {
  let end = 12;
  const labels: string[] = [];
  for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
    labels.push(query.toString("latin1", end + 1, end + 1 + length));
    end += length + 1;
  }
  const name = labels.join(".").toLowerCase();
  const type = query.readUInt16BE(end + 1);
  const answers = zone[name] ?? [[]];
  // A resolver asks for IPv4 and then for IPv6. Both questions get the same answer.
  const turn = type === 1 ? (asked.get(name) ?? 0) : Math.max(0, (asked.get(name) ?? 1) - 1);
  if (type === 1) asked.set(name, turn + 1);
  const addresses = (answers[Math.min(turn, answers.length - 1)] ?? []).filter(
    (address) => address.includes(":") === (type === 28),
  );
  const records = addresses.map((address) => {
    const bytes = type === 1 ? Buffer.from(address.split(".").map(Number)) : sixBytes(address);
    const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
    return Buffer.concat([head, bytes]);
  });
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8580, 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, query.subarray(12, end + 5), ...records]);
}

function sixBytes(address: string): Buffer {
  if (address.startsWith("::ffff:"))
    return Buffer.from([
      ...Buffer.alloc(10),
      0xff,
      0xff,
      ...address.slice(7).split(".").map(Number),
    ]);
  const [left = "", right = ""] = address.split("::");
  const [head, tail] = [groups(left), groups(right)];
  const all = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

function groups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

async function startNameServer(): Promise<void> {
  const asked = new Map<string, number>();
  const server = createSocket("udp4");
  server.on("message", (query, from) =>
    server.send(answerQuery(query, asked), from.port, from.address),
  );
  server.bind(53, "127.0.0.1");
  await once(server, "listening");
}

/**
 * Posts to each host over both protocols and on all ports. `times` is for names with several
 * answers.
 */
async function postAtAll(hosts: readonly string[], times: number): Promise<Attempt[]> {
  const agent = createGuardedAgent({ policy: new AddressPolicy([]), connectTimeoutMs: 2_000 });
  const attempts: Attempt[] = [];
  for (let round = 0; round < times; round += 1) {
    for (const host of hosts) {
      for (const url of [
        "http://HOST/",
        "https://HOST/",
        "https://HOST:8080/",
        "http://HOST:8080/",
      ].map((pattern) => pattern.replace("HOST", host))) {
        const { reason } = URL.canParse(url)
          ? await postWebhook(
              agent,
              {
                url,
                headers: { "content-type": "application/json" },
                body: Buffer.from("{}"),
              },
              () => new Date(),
            )
          : { reason: "no_url" };
        attempts.push({ url, reason });
      }
    }
  }
  await agent.destroy();
  return attempts;
}

/** Posts to an allowed address that redirects to a private one. */
async function postAtRedirects(): Promise<Attempt[]> {
  const agent = createGuardedAgent({
    policy: new AddressPolicy([`${namedAddress}/32`]),
    connectTimeoutMs: 2_000,
  });
  const attempts: Attempt[] = [];
  for (const status of [301, 302, 303, 307, 308]) {
    const url = `http://${namedAddress}:${redirectPort}/${status}`;
    const { status: answered, reason } = await postWebhook(
      agent,
      { url, headers: {}, body: Buffer.from("{}") },
      () => new Date(),
    );
    attempts.push({ url, reason: `${String(answered)} ${reason}` });
  }
  await agent.destroy();
  return attempts;
}

const { literals } = JSON.parse(process.argv[2] ?? "{}") as { literals: string[] };
await startCanaries();
await startNameServer();
const inside = await postAtAll(literals, 1);
const names = await postAtAll(
  Object.keys(zone).filter((name) => !["rebinding.test", "public.test"].includes(name)),
  1,
);
const redirects = await postAtRedirects();
const insideReached = [...reached.keys()];
const rebinding = await postAtAll(["rebinding.test"], 3);
const control = await postAtAll(["public.test"], 1);
process.stdout.write(
  JSON.stringify({
    inside,
    names,
    redirects,
    rebinding,
    control,
    insideReached,
    reached: [...reached.keys()],
  }),
);
process.exit(0);
