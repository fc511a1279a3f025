import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import { postWebhook } from "../../src/webhooks/post-webhook.ts";
import { projectDir } from "../support/program-environment.ts";

/** Where the canaries sit: addresses that the namespace really has, with a listener behind each. */
const canaries = [
  "10.1.2.3/32",
  "100.64.0.1/32",
  "169.254.169.254/32",
  "169.254.1.1/32",
  "172.16.0.1/32",
  "192.0.0.192/32",
  "192.0.2.1/32",
  "192.88.99.1/32",
  "192.168.1.1/32",
  "198.18.0.1/32",
  "198.51.100.1/32",
  "203.0.113.1/32",
  "240.0.0.1/32",
  "fd00::1/128",
  "fd00:ec2::254/128",
  "fe80::1/128",
  "fec0::1/128",
  "2001:db8::1/128",
  "2001::1/128",
  "2002:a01:203::1/128",
  "64:ff9b::a01:203/128",
  "64:ff9b:1::1/128",
  "100::1/128",
  "3fff::1/128",
  "5f00::1/128",
];
const publicAddress = "93.184.216.34/32";

/** IP literals in every spelling that a URL takes. */
const literals = [
  ...canaries
    .map((range) => range.split("/")[0]!)
    .map((address) => (address.includes(":") ? `[${address}]` : address)),
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "0",
  "0.0.0.0",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "017700000001",
  "0177.0.0.1",
  "127.0.0.1.",
  "127.255.255.254",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "10.66051",
  "167838211",
  "0xa010203",
  "0x0a.0x01.0x02.0x03",
  "012.1.2.3",
  "0xA9FEA9FE",
  "2852039166",
  "169.254.43518",
  "0251.0376.0251.0376",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::127.0.0.1]",
  "[::10.1.2.3]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:10.1.2.3]",
  "[0:0:0:0:0:ffff:0a01:0203]",
  "[::ffff:a9fe:a9fe]",
  "[FD00::1]",
  "[fd00:0:0::0001]",
];

interface Attempt {
  url: string;
  reason: string;
}

type Run = Record<"inside" | "names" | "redirects" | "rebinding" | "control", Attempt[]> & {
  insideReached: string[];
  reached: string[];
};

const isolate = ["--net", "--mount"];
const canIsolate =
  process.platform === "linux" &&
  spawnSync("unshare", [...isolate, "ip", "link", "set", "lo", "up"]).status === 0;
if (!canIsolate)
  process.stdout.write(
    "The canaries in a network namespace are left out: this needs root, unshare and iproute2. A resolver that lies stands in for them.\n",
  );

/** The program of canaries in a namespace that ends with it. */
async function runAmongCanaries(): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-canaries-"));
  try {
    await writeFile(join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
    const addresses = [...canaries, publicAddress].map((range) =>
      range.includes(":") ? `ip -6 addr add ${range} dev lo nodad` : `ip addr add ${range} dev lo`,
    );
    const script = [
      `mount --bind ${folder}/resolv.conf /etc/resolv.conf`,
      "ip link set lo up",
      ...addresses,
      `exec node_modules/.bin/node test/support/canary-run.ts '${JSON.stringify({ literals })}'`,
    ];
    const { stdout } = await promisify(execFile)(
      "unshare",
      [...isolate, "sh", "-ec", script.join("\n")],
      { cwd: projectDir, maxBuffer: 1 << 24, timeout: 60_000 },
    );
    return JSON.parse(stdout) as Run;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.runIf(canIsolate)(
  "Promise 13: the sender cannot reach inside: among canaries in a network namespace",
  () => {
    let run: Run;
    beforeAll(async () => {
      run = await runAmongCanaries();
    });

    test("no address of the inside is connected to, in whatever spelling", () => {
      expect(
        run.inside.filter(({ reason }) => reason !== "refused_target" && reason !== "no_url"),
      ).toEqual([]);
      expect(run.inside.length).toBe(4 * literals.length);
      expect(run.inside.filter(({ reason }) => reason === "refused_target").length).toBeGreaterThan(
        3 * literals.length,
      );
    });

    test("no name that resolves to the inside, wholly or in part, is connected to", () => {
      expect(run.names.filter(({ reason }) => reason !== "refused_target")).toEqual([]);
      expect(run.names.length).toBeGreaterThan(30);
    });

    test("redirects that point inside are not followed", () => {
      expect(run.redirects.map(({ reason }) => reason)).toEqual(
        [301, 302, 303, 307, 308].map((status) => `${status} status`),
      );
    });

    test("no canary heard of any of that", () => {
      expect(run.insideReached).toEqual([]);
    });

    test("a name that turns from a public address to the inside reaches the public one and nothing else", () => {
      expect(run.rebinding.some(({ reason }) => reason === "connection_failed")).toBe(true);
      expect(run.rebinding.some(({ reason }) => reason === "refused_target")).toBe(true);
      expect(run.reached).toEqual([publicAddress.split("/")[0]]);
    });

    test("the canaries do sing: a public address is connected to, over https alone", () => {
      expect(run.control.map(({ url, reason }) => `${new URL(url).protocol} ${reason}`)).toEqual([
        "http: refused_target",
        "https: connection_failed",
        "https: connection_failed",
        "http: refused_target",
      ]);
    });
  },
);

async function post(url: string, addresses: readonly string[]) {
  const agent = createGuardedAgent({
    policy: new AddressPolicy([]),
    connectTimeoutMs: 200,
    resolve: async () => addresses,
  });
  const request = { url, headers: {}, body: Buffer.from("{}") };
  const result = await postWebhook(agent, request, () => new Date());
  await agent.destroy();
  return result;
}

describe("Promise 13: the sender cannot reach inside: with a resolver that lies", () => {
  test.each(canaries.map((range) => range.split("/")[0]!))(
    "a name for %s is refused, also beside a public address",
    async (address) => {
      const refused = { status: null, reason: "refused_target", retryAfterSeconds: undefined };
      expect(await post("https://name.example/", [address])).toEqual(refused);
      expect(await post("https://name.example/", ["93.184.216.34", address])).toEqual(refused);
      expect(await post("https://name.example/", [address, "93.184.216.34"])).toEqual(refused);
    },
  );

  // What is no literal to the parser of URLs is a name, and what that resolves to is checked as any other.
  test.each(literals.map((literal) => `https://${literal}/`).filter((url) => URL.canParse(url)))(
    "%s is refused",
    async (url) => {
      expect(await post(url, ["127.0.0.1"])).toMatchObject({ reason: "refused_target" });
    },
  );
});
