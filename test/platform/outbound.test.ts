import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { promisify } from "node:util";
import type { Dispatcher } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import {
  AddressPolicy,
  createGuardedAgent,
  TargetRefused,
} from "../../src/platform/outbound/index.ts";

const PUBLIC_V4 = "93.184.216.34";

/** First and last address of each refused range, and the neighbours outside it that no other range holds. */
const RANGES: [range: string, first: string, last: string, outside: string[]][] = [
  ["0/8", "0.0.0.0", "0.255.255.255", ["1.0.0.0"]],
  ["10/8", "10.0.0.0", "10.255.255.255", ["9.255.255.255", "11.0.0.0"]],
  ["100.64/10", "100.64.0.0", "100.127.255.255", ["100.63.255.255", "100.128.0.0"]],
  ["127/8", "127.0.0.0", "127.255.255.255", ["126.255.255.255", "128.0.0.0"]],
  ["168.63.129.16/32", "168.63.129.16", "168.63.129.16", ["168.63.129.15", "168.63.129.17"]],
  ["169.254/16", "169.254.0.0", "169.254.255.255", ["169.253.255.255", "169.255.0.0"]],
  ["172.16/12", "172.16.0.0", "172.31.255.255", ["172.15.255.255", "172.32.0.0"]],
  ["192.0.0/24", "192.0.0.0", "192.0.0.255", ["191.255.255.255", "192.0.1.0"]],
  ["192.0.2/24", "192.0.2.0", "192.0.2.255", ["192.0.1.255", "192.0.3.0"]],
  ["192.88.99/24", "192.88.99.0", "192.88.99.255", ["192.88.98.255", "192.88.100.0"]],
  ["192.168/16", "192.168.0.0", "192.168.255.255", ["192.167.255.255", "192.169.0.0"]],
  ["198.18/15", "198.18.0.0", "198.19.255.255", ["198.17.255.255", "198.20.0.0"]],
  ["198.51.100/24", "198.51.100.0", "198.51.100.255", ["198.51.99.255", "198.51.101.0"]],
  ["203.0.113/24", "203.0.113.0", "203.0.113.255", ["203.0.112.255", "203.0.114.0"]],
  ["224/4", "224.0.0.0", "239.255.255.255", ["223.255.255.255"]],
  ["240/4", "240.0.0.0", "255.255.255.255", []],
  ["::/96", "::", "::255.255.255.255", ["::1:0:0"]],
  [
    "64:ff9b::/96",
    "64:ff9b::",
    "64:ff9b::ffff:ffff",
    ["64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", "64:ff9b::1:0:0"],
  ],
  [
    "::ffff:0:0:0/96",
    "::ffff:0:0:0",
    "::ffff:0:ffff:ffff",
    ["::fffe:ffff:ffff:ffff", "::ffff:1:0:0"],
  ],
  [
    "64:ff9b:1::/48",
    "64:ff9b:1::",
    "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
    ["64:ff9b:0:ffff:ffff:ffff:ffff:ffff", "64:ff9b:2::"],
  ],
  ["100::/64", "100::", "100::ffff:ffff:ffff:ffff", ["ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]],
  ["100:0:0:1::/64", "100:0:0:1::", "100::1:ffff:ffff:ffff:ffff", ["100:0:0:2::"]],
  [
    "2001::/32",
    "2001::",
    "2001:0:ffff:ffff:ffff:ffff:ffff:ffff",
    ["2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:1::"],
  ],
  [
    "2001:2::/48",
    "2001:2::",
    "2001:2:0:ffff:ffff:ffff:ffff:ffff",
    ["2001:1:ffff:ffff:ffff:ffff:ffff:ffff", "2001:2:1::"],
  ],
  [
    "2001:10::/28",
    "2001:10::",
    "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff",
    ["2001:f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ],
  ["2001:20::/28", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:30::"]],
  [
    "2001:db8::/32",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    ["2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"],
  ],
  [
    "2002::/16",
    "2002::",
    "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ["2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"],
  ],
  [
    "3fff::/20",
    "3fff::",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    ["3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"],
  ],
  [
    "5f00::/16",
    "5f00::",
    "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ["5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "5f01::"],
  ],
  [
    "fc00::/7",
    "fc00::",
    "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ["fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe00::"],
  ],
  [
    "fe80::/10",
    "fe80::",
    "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ["fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ],
  ["fec0::/10", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
  ["ff00::/8", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
];

function mappedForms(ip: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split(".").map(Number);
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  return [
    `::ffff:${ip}`,
    `::FFFF:${groups}`,
    `0:0:0:0:0:ffff:${ip}`,
    `0000:0000:0000:0000:0000:ffff:${groups}`,
  ];
}

describe("the address policy", () => {
  const policy = new AddressPolicy();

  it.each(RANGES)(
    "refuses %s from its first to its last address, and no more",
    (_range, first, last, outside) => {
      expect([first, last].map((ip) => policy.isAllowed(ip, 443))).toEqual([false, false]);
      expect(outside.filter((ip) => !policy.isAllowed(ip, 443))).toEqual([]);
    },
  );

  it.each(RANGES.filter(([, first]) => !first.includes(":")))(
    "judges v4-mapped forms as IPv4: %s",
    (_range, first, last, outside) => {
      expect([first, last].flatMap(mappedForms).filter((ip) => policy.isAllowed(ip, 443))).toEqual(
        [],
      );
      expect(outside.flatMap(mappedForms).filter((ip) => !policy.isAllowed(ip, 443))).toEqual([]);
    },
  );

  it("allows ordinary public addresses", () => {
    expect(
      ["8.8.8.8", PUBLIC_V4, "2606:4700::1111", "2a00:1450:4001::200e"].filter(
        (ip) => !policy.isAllowed(ip, 443),
      ),
    ).toEqual([]);
  });

  it("ignores the zone of an address", () => {
    expect(policy.isAllowed("fe80::1%eth0", 443)).toBe(false);
    expect(policy.isAllowed("::ffff:127.0.0.1%lo", 443)).toBe(false);
    expect(policy.isAllowed("2606:4700::1111%eth0", 443)).toBe(true);
  });

  it.each([
    "",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "10.0.0.1/8",
    "[::1]",
    "1.2.3.4 ",
  ])("refuses what is no address: %j", (text) => {
    expect(policy.isAllowed(text, 443)).toBe(false);
  });

  it("lets the operator's ranges win, and only those", () => {
    const opened = new AddressPolicy(["127.0.0.0/8", "::1/128", "10.20.30.40/32"]);
    expect(
      ["127.0.0.1", "127.255.255.255", "::1", "10.20.30.40", "::ffff:127.0.0.1"].filter(
        (ip) => !opened.isAllowed(ip, 443),
      ),
    ).toEqual([]);
    expect(["10.20.30.41", "::2", "192.168.0.1"].filter((ip) => opened.isAllowed(ip, 443))).toEqual(
      [],
    );
  });

  it("does not open IPv4 by an IPv6 range", () => {
    expect(new AddressPolicy(["::/0"]).isAllowed("::ffff:10.0.0.1", 443)).toBe(false);
    expect(new AddressPolicy(["::/0"]).isAllowed("fd00::1", 443)).toBe(true);
  });

  it("tells what the operator named from what is public", () => {
    const opened = new AddressPolicy(["10.0.0.0/8"]);
    expect([
      opened.isNamed("10.1.1.1", 443),
      opened.isNamed("::ffff:10.1.1.1", 443),
      opened.isNamed("8.8.8.8", 443),
    ]).toEqual([true, true, false]);
  });

  it("opens a range for one port alone where it has one", () => {
    const opened = new AddressPolicy(["10.0.0.0/8:443", "[fd00::/8]:8069", "192.168.0.0/16:*"]);
    expect([443, 8069].map((port) => opened.isAllowed("10.1.1.1", port))).toEqual([true, false]);
    expect([443, 8069].map((port) => opened.isNamed("::ffff:10.1.1.1", port))).toEqual([
      true,
      false,
    ]);
    expect([443, 8069].map((port) => opened.isAllowed("fd00::1", port))).toEqual([false, true]);
    expect([443, 8069].map((port) => opened.isAllowed("192.168.1.1", port))).toEqual([true, true]);
    expect(opened.isAllowed("8.8.8.8", 25)).toBe(true);
  });

  it.each([
    "10.0.0.0",
    "10.0.0.0/8:0",
    "10.0.0.0/8:65536",
    "10.0.0.0/8:http",
    "[10.0.0.0/8:443",
    "10.0.0.0/",
    "10.0.0.0/33",
    "::/129",
    "10.0.0/8",
    "host/8",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "fe80::%eth0/10",
    "::ffff:10.0.0.0/104",
    "",
  ])("names a range that is not one: %j", (range) => {
    expect(() => new AddressPolicy(["127.0.0.0/8", range])).toThrow(`"${range}" `);
  });
});

const opened: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()));
});

type Resolve = (hostname: string) => Promise<string[]>;

function agentFor(allow: string[], resolve?: Resolve, localAddress?: string): Dispatcher {
  const agent = createGuardedAgent({ policy: new AddressPolicy(allow), resolve, localAddress });
  opened.push(() => agent.destroy());
  return agent;
}

async function listen(server: Server, host: string, port = 0): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  opened.push(() => new Promise((done) => server.close(done)));
  return (server.address() as AddressInfo).port;
}

/** Listens where nothing may connect, and counts who does. */
async function startCanary(
  host: string,
  port = 0,
): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  return { port: await listen(server, host, port), connections: () => connections };
}

async function startServer(
  answer: (request: IncomingMessage) => string,
  host = "127.0.0.1",
): Promise<number> {
  return await listen(
    createHttpServer((request, response) =>
      response.setHeader("connection", "close").end(answer(request)),
    ),
    host,
  );
}

async function get(agent: Dispatcher, url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  const { body } = await agent.request({ origin, path: pathname, method: "GET" });
  return await body.text();
}

describe("the guarded agent", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0177.0.0.1",
    "0",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:0001]",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
  ])("refuses the literal %s before any connection", async (literal) => {
    const canary = await startCanary("0.0.0.0");
    const agent = agentFor([]);
    await expect(get(agent, `http://${literal}:${canary.port}/`)).rejects.toThrow(TargetRefused);
    await expect(get(agent, `https://${literal}:${canary.port}/`)).rejects.toThrow(TargetRefused);
    expect(canary.connections()).toBe(0);
  });

  it("has no literal with a zone", () => {
    expect(URL.canParse("http://[fe80::1%25eth0]/")).toBe(false);
  });

  it.each([
    ["one private address", ["127.0.0.1"]],
    ["a private address after a public one", [PUBLIC_V4, "127.0.0.1"]],
    ["a private address before a public one", ["127.0.0.1", PUBLIC_V4]],
    ["a v4-mapped private address", [PUBLIC_V4, "::ffff:127.0.0.1"]],
    ["something that is no address", ["127.1"]],
  ])("refuses a name that resolves to %s", async (_case, addresses) => {
    const canary = await startCanary("127.0.0.1");
    const agent = agentFor([], async () => addresses);
    await expect(get(agent, `https://name.example:${canary.port}/`)).rejects.toThrow(TargetRefused);
    await expect(get(agent, `http://name.example:${canary.port}/`)).rejects.toThrow(TargetRefused);
    expect(canary.connections()).toBe(0);
  });

  it("applies the policy to what localhost is", async () => {
    const canary = await startCanary("127.0.0.1");
    await expect(get(agentFor([]), `https://localhost:${canary.port}/`)).rejects.toThrow(
      TargetRefused,
    );
    expect(canary.connections()).toBe(0);
  });

  it("connects to the very answer it checked, so that a rebinding name reaches nothing else", async () => {
    const port = await startServer(() => "the named one");
    const canary = await startCanary("127.0.0.2", port);
    const answers = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1", "127.0.0.2"], ["127.0.0.1"]];
    let lookups = 0;
    const agent = agentFor(["127.0.0.1/32"], async () => answers[lookups++] ?? []);
    const url = `http://rebinding.example:${port}/`;

    expect(await get(agent, url)).toBe("the named one");
    expect(lookups).toBe(1);
    await expect(get(agent, url)).rejects.toThrow(TargetRefused);
    await expect(get(agent, url)).rejects.toThrow(TargetRefused);
    expect(await get(agent, url)).toBe("the named one");
    expect(canary.connections()).toBe(0);
  });

  it("passes the connection on to a second checked address when the first does not answer", async () => {
    const port = await startServer(() => "second");
    const agent = agentFor(["127.0.0.0/8"], async () => ["127.0.0.9", "127.0.0.1"]);
    expect(await get(agent, `http://two.example:${port}/`)).toBe("second");
  });

  it("fails without connecting when a name has no address", async () => {
    await expect(
      get(
        agentFor([], async () => []),
        "https://nowhere.example/",
      ),
    ).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it("allows plain http only to addresses that the operator names", async () => {
    await expect(get(agentFor([]), `http://${PUBLIC_V4}/`)).rejects.toThrow("https is required");
    await expect(
      get(
        agentFor(["127.0.0.0/8"], async () => ["127.0.0.1", PUBLIC_V4]),
        "http://mixed.example/",
      ),
    ).rejects.toThrow("https is required");
    const port = await startServer(() => "named");
    expect(await get(agentFor(["127.0.0.0/8"]), `http://127.0.0.1:${port}/`)).toBe("named");
    expect(await get(agentFor(["127.0.0.0/8"]), `http://[::ffff:127.0.0.1]:${port}/`)).toBe(
      "named",
    );
  });

  it("lets https through to an address that the operator names", async () => {
    const canary = await startCanary("127.0.0.1");
    const agent = agentFor(["127.0.0.0/8"], async () => ["127.0.0.1"]);
    await expect(get(agent, `https://name.example:${canary.port}/`)).rejects.not.toThrow(
      TargetRefused,
    );
    expect(canary.connections()).toBe(1);
  });

  it("does not follow a redirect", async () => {
    const canary = await startCanary("127.0.0.1");
    const port = await listen(
      createHttpServer((_, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end(),
      ),
      "127.0.0.1",
    );
    const agent = agentFor(["127.0.0.0/8"]);
    const answer = await agent.request({
      origin: `http://127.0.0.1:${port}`,
      path: "/",
      method: "GET",
    });
    await answer.body.dump();
    expect(answer.statusCode).toBe(302);
    expect(canary.connections()).toBe(0);
  });

  it("binds the local address, and then uses only addresses of its family", async () => {
    const port = await startServer((request) => request.socket.remoteAddress ?? "");
    const agent = agentFor(
      ["127.0.0.0/8", "::1/128"],
      async () => ["::1", "127.0.0.1"],
      "127.0.0.3",
    );
    expect(await get(agent, `http://name.example:${port}/`)).toBe("127.0.0.3");
    expect(await get(agent, `http://127.0.0.1:${port}/`)).toBe("127.0.0.3");
  });

  it("gives up on a connection that takes too long", async () => {
    const agent = createGuardedAgent({
      policy: new AddressPolicy(),
      resolve: () => new Promise(() => {}),
      connectTimeoutMs: 20,
    });
    opened.push(() => agent.destroy());
    await expect(get(agent, "https://silent.example/")).rejects.toMatchObject({
      code: "UND_ERR_CONNECT_TIMEOUT",
    });
  });

  it("ignores proxy settings of the environment", async () => {
    const proxy = await startCanary("127.0.0.1");
    const port = await startServer(() => "direct");
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const script = `
      import { AddressPolicy, createGuardedAgent } from ${JSON.stringify(new URL("../../src/platform/outbound/index.ts", import.meta.url).href)};
      const agent = createGuardedAgent({ policy: new AddressPolicy(["127.0.0.0/8"]) });
      const answer = await agent.request({ origin: "http://127.0.0.1:${port}", path: "/", method: "GET" });
      process.stdout.write(await answer.body.text());
      await agent.close();`;
    const names = [
      "HTTP_PROXY",
      "HTTPS_PROXY",
      "ALL_PROXY",
      "http_proxy",
      "https_proxy",
      "all_proxy",
    ];
    const env = {
      ...process.env,
      NODE_USE_ENV_PROXY: "1",
      NO_PROXY: "",
      no_proxy: "",
      ...Object.fromEntries(names.map((name) => [name, proxyUrl])),
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", script],
      { env },
    );
    expect(stdout).toBe("direct");
    expect(proxy.connections()).toBe(0);
  });
});
