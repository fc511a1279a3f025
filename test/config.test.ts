import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { InvalidConfiguration, readConfig, variables } from "../src/config/index.ts";
import { codeRowsOf, readDocument } from "./support/documents.ts";

const project = resolve(import.meta.dirname, "..");
const names = Object.keys(variables.shape);
const hosted = {
  DATABASE_URL: "postgres://db/x",
  PUBLIC_URL: "https://api.example.com",
  MASTER_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  TRUST_PROXY: "none",
};

describe("what is written about the variables is what the program reads", () => {
  test(".env.example names every variable and no other", () => {
    const lines = readFileSync(join(project, ".env.example"), "utf8").split("\n");
    expect(lines.flatMap((line) => /^([A-Z0-9_]+)=/.exec(line)?.[1] ?? []).sort()).toEqual(
      [...names].sort(),
    );
  });

  test(".env.example shows the defaults", () => {
    const shown = Object.fromEntries(
      readFileSync(join(project, ".env.example"), "utf8")
        .split("\n")
        .flatMap((line) => (/^[A-Z0-9_]+=./.test(line) ? [line.split(/=(.*)/, 2)] : [])),
    );
    expect(readConfig(shown)).toEqual(readConfig({}));
  });

  test("the table of docs/configuration.md has every variable with its default and meaning, and no other", () => {
    const defaults: Record<string, unknown> = variables.parse({});
    const rows = codeRowsOf(readDocument("docs/configuration.md")).map((cells) =>
      cells.join(" | "),
    );
    const expected = Object.entries(variables.shape).map(([name, { description }]) => {
      const value = ["string", "number"].includes(typeof defaults[name]) ? `${defaults[name]}` : "";
      return [`\`${name}\``, value && `\`${value}\``, description].join(" | ");
    });
    expect(rows).toEqual(expected);
  });
});

describe("local mode", () => {
  test.each([
    ["nothing is set", {}, true],
    ["HOST is ::1", { HOST: "::1" }, true],
    ["HOST is localhost", { HOST: "localhost" }, true],
    ["HOST is another loopback address", { HOST: "127.0.0.2" }, true],
    ["PUBLIC_URL is a loopback address", { PUBLIC_URL: "http://[::1]:3000" }, true],
    ["PUBLIC_URL is localhost", { PUBLIC_URL: "https://localhost:3000" }, true],
    ["DATABASE_URL is set", hosted, false],
    ["DATABASE_URL is set", { ...hosted, PUBLIC_URL: "http://127.0.0.1:1" }, false],
    ["PUBLIC_URL is public", { ...hosted, DATABASE_URL: "" }, false],
    ["it is prod", { ...hosted, DATABASE_URL: "", ENVIRONMENT: "prod" }, false],
    ["HOST is every address", { ...hosted, DATABASE_URL: "", HOST: "0.0.0.0" }, false],
  ])("when %s: %o is local: %s", (_name, environment, isLocal) => {
    expect(readConfig(environment as Record<string, string>).config.isLocal).toBe(isLocal);
  });

  test("loopback targets are allowed there, and nowhere else by default", () => {
    const loopback = [{ range: "127.0.0.0/8:*" }, { range: "[::1/128]:*" }];
    expect(readConfig({}).config.outboundAllow).toEqual({
      providers: loopback,
      webhooks: loopback,
    });
    expect(readConfig(hosted).config.outboundAllow).toEqual({ providers: [], webhooks: [] });
  });
});

const proxiesOf = (TRUST_PROXY: string) => readConfig({ ...hosted, TRUST_PROXY }).config.trustProxy;

describe("a configuration that is not valid", () => {
  test("hosted without keys and address names everything that is missing at once", () => {
    expect(() => readConfig({ DATABASE_URL: "postgres://db/x" })).toThrow(
      /MASTER_KEYS: required[\s\S]*PUBLIC_URL: required/,
    );
  });

  test.each([
    ["ENVIRONMENT", "staging"],
    ["ROLE", "web"],
    ["PORT", "70000"],
    ["PUBLIC_URL", "https://api.example.com/path"],
    ["PUBLIC_URL", "ftp://api.example.com"],
    ["DATABASE_URL", "mysql://db/x"],
    ["REDIS_URL", "http://redis"],
    ["MASTER_KEYS", "k1:short"],
    ["MASTER_KEYS", `k1:${"A".repeat(43)}=,k1:${"B".repeat(43)}=`],
    ["SANDBOX_ACCESS_TOKEN", "rc_at_prod_x"],
    ["PUBLIC_URL", "http://api.example.com"],
    ["PUBLIC_URL", "http://localhost.example.com"],
    ["TRUST_PROXY", "10.0.0.0/33"],
    ["TRUST_PROXY", ","],
    ["TRUST_PROXY", "none,10.0.0.0/8"],
    ["TRUST_PROXY", ""],
    ["TRUST_PROXY", "0.0.0.0/0"],
    ["TRUST_PROXY", "::/0"],
    ["TRUST_PROXY", "0.0.0.0/1,128.0.0.0/1"],
    ["TRUST_PROXY", "10.0.0.0/8,0.0.0.0/2,64.0.0.0/2"],
    ["TRUST_PROXY", "::/1,8000::/1"],
    ["TRUST_PROXY", "2000::/3"],
    ["TRUST_PROXY", "::ffff:0.0.0.0/96"],
    ["TRUST_PROXY", "::ffff:0.0.0.0/98"],
    ["TRUST_PROXY", "0.0.0.0/2"],
    ["TRUST_PROXY", "0.0.0.0/2,192.0.0.0/3"],
    ["TRUST_PROXY", "10.0.0.0/7"],
    ["TRUST_PROXY", "2400::/15"],
    ["TRUST_PROXY", "fc00::/6"],
    ["MASTER_KEYS", `k1:${Buffer.alloc(32).toString("base64")}`],
    ["MASTER_KEYS", `k1:${Buffer.alloc(32, 0x61).toString("base64")}`],
    ["OUTBOUND_ALLOW", "10.0.0.0/8"],
    ...[
      "everything",
      "10.0.0.0/8",
      "10.0.0.0/33:443",
      "10.0.0.0/8:0",
      "10.0.0.0/8:70000",
      "10.0.0.0/8:443:443",
      "fd00::/8:443",
      "[10.0.0.0/8]:443:1",
      "[::ffff:10.0.0.0/104]:443",
      "someone=10.0.0.0/8:443",
      "0.0.0.0/0:443",
      "[::/0]:*",
      "0.0.0.0/1:443,128.0.0.0/1:8443",
      "[::/3]:*,[4000::/2]:*,[8000::/1]:*",
      "10.0.0.0/7:443",
      "[fe00::/15]:443",
      "[fc00::/6]:443",
    ].flatMap((value): [string, string][] => [
      ["OUTBOUND_ALLOW_PROVIDERS", value],
      ["OUTBOUND_ALLOW_WEBHOOKS", value],
    ]),
    ["OUTBOUND_ADDRESSES", "192.0.2.1,192.0.2.2,192.0.2.3,192.0.2.4"],
    ["OPERATOR_NAME", "Acme\u200bGmbH"],
    ["OPERATOR_NAME", "Ac\u200dme"],
    ["OPERATOR_NAME", "ا\u200cب"],
    ["RATE_LIMIT_OPEN_1M", "0"],
    ["RATE_LIMIT_OPEN_5M", "many"],
    ["SNAPSHOT_STALE_SECONDS", "10"],
    ["LOG_LEVEL", "loud"],
  ])("%s=%s is refused by name", (name, value) => {
    expect(() => readConfig({ ...hosted, [name]: value })).toThrow(new RegExp(`\\b${name}: `));
  });

  test("ranges of both purposes are refused at once, with what to write", () => {
    const wrong = { OUTBOUND_ALLOW_PROVIDERS: "10.0.0.0/8", OUTBOUND_ALLOW_WEBHOOKS: "x" };
    const error = catchError(() => readConfig({ ...hosted, ...wrong, OUTBOUND_ALLOW: "::1/128" }));
    expect(String(error)).toMatch(
      /OUTBOUND_ALLOW_PROVIDERS: has "10\.0\.0\.0\/8", which is no range with a port; write 10\.1\.2\.0\/24:443/,
    );
    expect(String(error)).toContain('OUTBOUND_ALLOW_WEBHOOKS: has "x"');
    expect(String(error)).toContain("set OUTBOUND_ALLOW_PROVIDERS=[::1/128]:* for providers");
  });

  test("a range that is wider than a network is refused with how wide it may be, and that is taken", () => {
    const advice =
      "is wider than a network can be; name ranges of /8 or narrower, of IPv6 /16, or fc00::/7";
    const wrong = { TRUST_PROXY: "0.0.0.0/2", OUTBOUND_ALLOW_WEBHOOKS: "[4000::/2]:443" };
    const error = String(catchError(() => readConfig({ ...hosted, ...wrong })));
    expect(error).toContain(`TRUST_PROXY: has 0.0.0.0/2, which ${advice}`);
    expect(error).toContain(`OUTBOUND_ALLOW_WEBHOOKS: has 4000::/2, which ${advice}`);
    const wide = "10.0.0.0/8,fc00::/7,2400::/16,::ffff:10.0.0.0/104";
    expect(readConfig({ ...hosted, TRUST_PROXY: wide }).config.trustProxy).toEqual(wide.split(","));
    const ranges = "10.0.0.0/8:443,[fc00::/7]:443,[fd00::/8]:*";
    expect(
      readConfig({ ...hosted, OUTBOUND_ALLOW_PROVIDERS: ranges }).config.outboundAllow.providers,
    ).toHaveLength(3);
  });

  test("what is to be set in place of OUTBOUND_ALLOW can be set", () => {
    const former = "10.20.0.0/16, fd00::/8,192.0.2.7";
    const error = catchError(() => readConfig({ ...hosted, OUTBOUND_ALLOW: former }));
    const [, ranges = ""] = /OUTBOUND_ALLOW_PROVIDERS=(\S+)/.exec(String(error)) ?? [];
    const { outboundAllow } = readConfig({ ...hosted, OUTBOUND_ALLOW_PROVIDERS: ranges }).config;
    expect(outboundAllow.providers).toEqual([
      { range: "10.20.0.0/16:*" },
      { range: "[fd00::/8]:*" },
      { range: "192.0.2.7/32:*" },
    ]);
  });

  test("a range may be of one client", () => {
    const ownerId = "3FDAEDF9-1DCA4F54-87949F6A-41027643";
    const webhooks = `${ownerId}=10.1.2.3:8443, [fd00::/8]:443`;
    const { outboundAllow } = readConfig({ ...hosted, OUTBOUND_ALLOW_WEBHOOKS: webhooks }).config;
    expect(outboundAllow.webhooks).toEqual([
      { range: "10.1.2.3/32:8443", ownerId },
      { range: "[fd00::/8]:443" },
    ]);
  });

  test.each([
    ["PROVIDER_XERO_CLIENT_ID", "PROVIDER_XERO_CLIENT_SECRET"],
    ["PROVIDER_XERO_CLIENT_SECRET", "PROVIDER_XERO_CLIENT_ID"],
  ])("without %s beside %s is refused", (missing, given) => {
    expect(() => readConfig({ [given]: "x" })).toThrow(`${missing}: is required beside ${given}`);
  });

  const issuer = {
    CONSOLE_OIDC_ISSUER: "https://login.example.com",
    CONSOLE_OIDC_CLIENT_ID: "rollcall",
    CONSOLE_OIDC_CLIENT_SECRET: "s+cr%t",
    CONSOLE_OIDC_OPERATORS: "Jo@Example.com, group:on call,@Example.com+group:a+b:c",
  };
  const ofIssuer = (more: Record<string, string>) =>
    readConfig({ ...hosted, ...issuer, ...more }).secrets.operatorIssuer;

  test("operators sign in by an issuer when all of its variables are set, and none is enough", () => {
    expect(readConfig(hosted).secrets.operatorIssuer).toBeUndefined();
    expect(ofIssuer({ CONSOLE_OIDC_GROUPS_CLAIM: "roles" })).toEqual({
      url: "https://login.example.com",
      clientId: "rollcall",
      clientSecret: "s+cr%t",
      operators: [
        { address: "jo@example.com" },
        { group: "on call" },
        { domain: "example.com", group: "a+b:c" },
      ],
      groupsClaim: "roles",
    });
    for (const name of Object.keys(issuer))
      expect(() => ofIssuer({ [name]: "" })).toThrow(
        `\n  ${name}: required, because another variable of CONSOLE_OIDC is set`,
      );
    expect(() => readConfig({ CONSOLE_OIDC_CLIENT_ID: "x" })).toThrow(
      /CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_SECRET, CONSOLE_OIDC_OPERATORS: required/,
    );
  });

  test.each([
    ["ISSUER", "http://login.example.com", "begins with https://"],
    ["ISSUER", "https://login.example.com/?a=b", "is an address without a query"],
    ["ISSUER", "login.example.com", "is a URL"],
    ["OPERATORS", "jo@a.example,@example.com", "has a domain alone as entry 2, which lets in"],
    ["OPERATORS", "secret@", "has an entry 1 that cannot be read; write jo@example.com"],
    ["OPERATORS", "secret@example.com+group:x", "has an entry 1 that cannot be read"],
    ["OPERATORS", "j\u043e@secret.example", "has an entry 1 that cannot be read"],
    ["OPERATORS", "group:", "has an entry 1 that cannot be read"],
    ["OPERATORS", "on-call", "has an entry 1 that cannot be read"],
    ["OPERATORS", ",", "is empty"],
  ])(
    "CONSOLE_OIDC_%s=%s is refused with its reason, and no address is told",
    (name, value, why) => {
      const error = catchError(() => ofIssuer({ [`CONSOLE_OIDC_${name}`]: value }));
      expect(error.message).toContain(`CONSOLE_OIDC_${name}: ${why}`);
      expect(error.message).not.toContain("secret");
    },
  );

  test("the issuer may be on http for a trial on this machine, and not in prod", () => {
    const url = "http://127.0.0.1:4000";
    expect(ofIssuer({ CONSOLE_OIDC_ISSUER: url })?.url).toBe(url);
    expect(() => ofIssuer({ CONSOLE_OIDC_ISSUER: url, ENVIRONMENT: "prod" })).toThrow(
      "CONSOLE_OIDC_ISSUER: begins with https://",
    );
  });

  test("names the proxy, or says that there is none", () => {
    expect([proxiesOf("none"), proxiesOf("10.0.0.0/8, ::1")]).toEqual([
      [],
      ["10.0.0.0/8", "::1/128"],
    ]);
  });

  test.each(["می\u200cخواهم", "ශ\u0dca\u200dරී ලංකා", "അവന\u0d4d\u200d"])(
    "the operator's name may be %s, with the joiner that its spelling needs",
    (OPERATOR_NAME) => {
      expect(readConfig({ ...hosted, OPERATOR_NAME }).config.operatorName).toBe(OPERATOR_NAME);
    },
  );

  test("never shows a secret's value", () => {
    const secret = `k1:${"secret".repeat(5)}`;
    const error = catchError(() =>
      readConfig({
        ...hosted,
        MASTER_KEYS: secret,
        DATABASE_URL: "secretpassword",
        REDIS_URL: "secretpassword",
      }),
    );
    expect(error).toBeInstanceOf(InvalidConfiguration);
    expect(error.message).not.toMatch(/secret(?!s)/);
  });
});

describe("the container's files", () => {
  const compose = parse(readFileSync(join(project, "docker-compose.yml"), "utf8"), {
    merge: true,
  }) as {
    services: Record<
      string,
      {
        environment?: Record<string, string>;
        command?: string[];
        image?: string;
        mem_limit?: string;
        logging?: { options?: Record<string, string> };
        restart?: string;
      }
    >;
  };

  test("compose runs Postgres 18, Redis that keeps every job, an api and a worker", () => {
    const { api, worker, postgres, redis } = compose.services;
    expect(postgres?.image).toBe("postgres:18");
    expect(redis?.command?.join(" ")).toMatch(/--appendonly yes.*--maxmemory-policy noeviction/);
    expect([api?.environment?.["ROLE"], worker?.environment?.["ROLE"]]).toEqual(["api", "worker"]);
  });

  test.each(["api", "worker", "postgres", "redis"])(
    "compose bounds the memory and the log of %s, and starts it again",
    (service) => {
      const { mem_limit: memory, logging, restart } = compose.services[service] ?? {};
      expect(memory).toMatch(/^\d+g$/);
      expect(logging?.options).toEqual({ "max-size": "20m", "max-file": "5" });
      expect(restart).toBe("unless-stopped");
    },
  );

  test("compose sets only variables that exist, and with them the program starts", () => {
    for (const service of ["api", "worker"]) {
      const environment = compose.services[service]?.environment ?? {};
      expect(Object.keys(environment).filter((name) => !names.includes(name))).toEqual([]);
      const { config } = readConfig({
        ...hosted,
        ...environment,
        DATABASE_URL: hosted.DATABASE_URL,
      });
      expect(config).toMatchObject({ role: service, isLocal: false, host: "0.0.0.0" });
    }
  });

  test("the image holds what the program needs at run time", () => {
    const dockerfile = readFileSync(join(project, "Dockerfile"), "utf8");
    for (const path of ["src", "migrations", "bin", "package.json"])
      expect(dockerfile).toMatch(new RegExp(`^COPY ${path.replace(".", "\\.")} `, "m"));
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/PATH=\/app\/bin:\$PATH/);
  });
});

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
