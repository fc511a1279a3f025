import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en } from "../../src/connect/texts/en.ts";
import { ConnectVisitor, headingOf, linkPath, textOf } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const registered = [
  "https://app.example.com",
  "https://app.example.com/Callback/a%2Fb+c",
  "https://app.example.com:8443/callback?tenant=a%20b&next=/home",
  "http://127.0.0.1:8437/callback",
  "http://[::1]:8437/callback",
  "http://localhost/callback",
];
/** A native application can't choose its port (RFC 8252, 7.3); nothing else of its address is free. */
const loopback =
  /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:[1-9]\d{0,3}|:[1-5]\d{4}|:6[0-4]\d{3}|:65[0-4]\d{2}|:655[0-2]\d|:6553[0-5])?\/callback$/;

let harness: Harness;
let client: { clientId: string };
beforeAll(async () => {
  harness = await createHarness();
  ({ client } = await harness.services.clients.create({ name: "Test", redirectUris: registered }));
});
afterAll(() => harness.close());

const isAllowed = (address: string): boolean =>
  registered.includes(address) || loopback.test(address);

/** What comes of a byte that is changed, left out, doubled, or put before another one. */
function oneByteMutants(address: string): string[] {
  const alien = [
    "/",
    "\\",
    "@",
    ":",
    ".",
    "#",
    "?",
    "%",
    " ",
    "\t",
    "\n",
    "\r",
    "\u0000",
    "a",
    "0",
    "\u00e9",
  ];
  const inserted = ["/", "@", " ", "\n", "\u0000", "a"];
  return [...address].flatMap((character, index) => {
    const [before, after] = [address.slice(0, index), address.slice(index + 1)];
    const swappedCase =
      character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
    const next = String.fromCharCode(character.charCodeAt(0) + 1);
    const encoded = `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
    const replaced = [swappedCase, next, encoded, "", character + character, ...alien].map(
      (other) => before + other + after,
    );
    return [...replaced, ...inserted.map((other) => before + other + character + after)];
  });
}

/** What attacks on redirect addresses are made of. */
function craftedMutants(address: string): string[] {
  const { protocol, host, hostname, pathname, search } = new URL(address);
  const rest = address.slice(`${protocol}//${host}`.length);
  const at = (origin: string): string => `${origin}${rest}`;
  return [
    ...[
      "",
      "/",
      "//",
      "/.",
      "/./",
      "/..",
      "/../",
      "/%2e%2e/",
      "?",
      "?x=1",
      "&x=1",
      "#",
      "#x",
      "%23",
      "%00",
      "%0a",
      "%0d%0aset-cookie:a=b",
      "\u0000",
      "\r\n",
      "\t",
      " ",
      ";",
      ".json",
    ].map((suffix) => address + suffix),
    ...[" ", "\t", "\n", "\u0000", "\ufeff", "//", "\\\\", "/", "url:", "view-source:", "%20"].map(
      (prefix) => prefix + address,
    ),
    ...["http:", "https:", "HTTPS:", "ftp:", "javascript:", "data:", "app:", "", "file:"]
      .filter((scheme) => scheme !== protocol)
      .map((scheme) => at(`${scheme}//${host}`)),
    ...[
      "443",
      "80",
      "8443",
      "8444",
      "0",
      "00080",
      "65536",
      "99999",
      "-1",
      "+80",
      "8437 ",
      "８４３７",
      "evil.example",
    ].map((port) => at(`${protocol}//${hostname}:${port}`)),
    ...["user@", "user:pass@", "@", ":@", `${hostname}@`, `${hostname}%40`, `${hostname}:80@`].map(
      (userInfo) => at(`${protocol}//${userInfo}${host}`),
    ),
    ...[
      "@evil.example",
      ".evil.example",
      "%2eevil.example",
      "\\@evil.example",
      "\\evil.example",
      "/@evil.example",
      "#@evil.example",
      "?@evil.example",
      ";evil.example",
      ",evil.example",
      "%00.evil.example",
      "\t.evil.example",
      "&evil.example",
    ].map((suffix) => at(`${protocol}//${host}${suffix}`)),
    ...["evil", "evil.", "evil-", "*.", ".", "www.", "xn--"].map((prefix) =>
      at(`${protocol}//${prefix}${host}`),
    ),
    ...[
      "evil.example",
      "example.com",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "127.0.0.2",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "0.0.0.0",
      "[::ffff:127.0.0.1]",
      "[::]",
      "[0:0:0:0:0:0:0:1]",
      "LOCALHOST",
      "localhost.",
      "127。0。0。1",
      "①②⑦.0.0.1",
      "ⓛocalhost",
      "lоcalhost",
      "аpp.example.com",
      "app．example.com",
      "app。example.com",
      "app.exampIe.com",
      "app.example.com.",
    ]
      .filter((other) => other !== hostname)
      .map((other) => at(`${protocol}//${other}`)),
    `${protocol}/${host}${rest}`,
    `${protocol}${host}${rest}`,
    `${protocol}\\\\${host}${rest}`,
    `${protocol}///${host}${rest}`,
    `${protocol}//${host}${pathname.toUpperCase()}${search}`,
    `${protocol}//${host}${pathname.replaceAll("/", "//")}${search}`,
    `${protocol}//${host}${pathname.replaceAll("/", "\\")}${search}`,
    `${protocol}//${host}${pathname}/..${pathname}${search}`,
    encodeURI(address).replaceAll("%", "%25"),
    encodeURIComponent(address),
    decodeURIComponent(address),
    address.replaceAll("a", "а"),
    address.normalize("NFKD").replaceAll("e", "\u0435"),
    address.replaceAll(".", "\u2024"),
    `${address}\u202e`,
    `${address}\u200b`,
  ];
}

/** Those of the links that get anything but the error page. Many are looked at at once, so that thousands take seconds. */
async function leadSomewhere(paths: readonly string[]): Promise<unknown[]> {
  const left = [...paths];
  const found: unknown[] = [];
  const one = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const problem = await seeNoErrorPage(path);
      if (problem) found.push(problem);
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
  return found;
}

async function seeNoErrorPage(path: string): Promise<unknown> {
  const { status, headers, html, ...seen } = await new ConnectVisitor(harness.baseUrl).ask(
    "GET",
    path,
  );
  const leads = /<main>.*(<a |<form|http-equiv).*<\/main>/s.test(html);
  const isErrorPage =
    status === 400 &&
    !("location" in headers) &&
    !("refresh" in headers) &&
    !("set-cookie" in headers) &&
    !leads;
  return isErrorPage && headingOf({ html }) === en.title.link
    ? undefined
    : { path, status, leads, left: seen.left };
}

describe("an address that is registered", () => {
  test.each(registered)(
    "%s: whoever declines is sent back to it, and to nothing else",
    async (address) => {
      const visitor = new ConnectVisitor(harness.baseUrl);
      const page = await visitor.open(linkPath(client, { redirect_uri: address, state: "s" }));
      expect(page.status).toBe(200);
      const { left = "" } = await visitor.send(page, "decline");
      expect(left.slice(0, address.length + 1)).toBe(
        `${address}${address.includes("?") ? "&" : "?"}`,
      );
      expect(left.slice(address.length + 1)).toBe(
        "error=access_denied&error_description=the%20end%20user%20declined&state=s&iss=https%3A%2F%2Fapi.example.com",
      );
    },
  );

  test.each([
    "http://127.0.0.1/callback",
    "http://127.0.0.1:1/callback",
    "http://127.0.0.1:65535/callback",
    "http://[::1]:50000/callback",
    "http://localhost:50000/callback",
  ])("%s: on loopback another port is the same address", async (address) => {
    const seen = await new ConnectVisitor(harness.baseUrl).ask(
      "GET",
      linkPath(client, { redirect_uri: address, scope: "none" }),
    );
    expect(seen.left).toMatch(/^http:\/\//);
    expect(seen.left?.startsWith(`${address}?error=invalid_scope&`)).toBe(true);
  });
});

describe("an address that is not registered byte for byte is never redirected to", () => {
  test.each(registered)("%s: one byte off", async (address) => {
    const mutants = [...new Set(oneByteMutants(address))].filter((mutant) => !isAllowed(mutant));
    expect(mutants.length).toBeGreaterThan(500);
    expect(
      await leadSomewhere(
        mutants.map((mutant) => linkPath(client, { redirect_uri: mutant, state: "s" })),
      ),
    ).toEqual([]);
  });

  test.each(registered)(
    "%s: crafted ones, encoded as a link has to, and as they are",
    async (address) => {
      const mutants = [...new Set(craftedMutants(address))].filter((mutant) => !isAllowed(mutant));
      expect(mutants.length).toBeGreaterThan(90);
      expect(
        await leadSomewhere(mutants.map((mutant) => linkPath(client, { redirect_uri: mutant }))),
      ).toEqual([]);
      const plain = linkPath(client, { redirect_uri: undefined });
      const raw = mutants.filter(
        (mutant) =>
          /^[\x21-\x7e]+$/.test(mutant) &&
          !mutant.includes("&") &&
          !mutant.includes("#") &&
          !isAllowed(new URLSearchParams(`x=${mutant}`).get("x") ?? ""),
      );
      expect(await leadSomewhere(raw.map((mutant) => `${plain}&redirect_uri=${mutant}`))).toEqual(
        [],
      );
    },
  );

  test.each([
    ["not at all", ""],
    ["empty", "&redirect_uri="],
    [
      "twice, the right one first",
      `&redirect_uri=${encodeURIComponent(registered[0] ?? "")}&redirect_uri=https://evil.example`,
    ],
    [
      "twice, the right one last",
      `&redirect_uri=https://evil.example&redirect_uri=${encodeURIComponent(registered[0] ?? "")}`,
    ],
    [
      "twice, once with its name encoded",
      `&redirect_uri=${encodeURIComponent(registered[0] ?? "")}&redirect%5Furi=https://evil.example`,
    ],
    ["as a list", `&redirect_uri[]=${encodeURIComponent(registered[0] ?? "")}`],
    [
      "behind an encoded ampersand",
      `&state=x%26redirect_uri=${encodeURIComponent(registered[0] ?? "")}`,
    ],
    ["with bytes that are no UTF-8", `&redirect_uri=${encodeURIComponent(registered[0] ?? "")}%ff`],
  ])("it comes %s", async (_how, query) => {
    expect(
      await leadSomewhere([`${linkPath(client, { redirect_uri: undefined })}${query}`]),
    ).toEqual([]);
  });

  test.each([
    [
      "another client's",
      async () =>
        (
          await harness.services.clients.create({
            name: "Other",
            redirectUris: ["https://other.example/callback"],
          })
        ).client.clientId,
    ],
    ["unknown", async () => "3FDAEDF9-1DCA4F54-87949F6A-41027643"],
    ["in lower case", async () => client.clientId.toLowerCase()],
    ["followed by a space", async () => `${client.clientId} `],
    ["empty", async () => ""],
  ])("the client id is %s", async (_which, clientId) => {
    expect(
      await leadSomewhere([
        linkPath({ clientId: await clientId() }, { redirect_uri: registered[0] }),
      ]),
    ).toEqual([]);
  });

  test("whatever else is wrong with the link, the address comes first", async () => {
    const faults = [
      { scope: "none" },
      { scope: undefined },
      { mode: "none" },
      { response_type: "token" },
      { provider: "none" },
      { state: "x".repeat(5_000) },
    ];
    expect(
      await leadSomewhere(
        faults.map((fault) =>
          linkPath(client, { redirect_uri: "https://evil.example/", ...fault }),
        ),
      ),
    ).toEqual([]);
  });

  test("no sign-in was begun, and the log names none of the addresses", async () => {
    const begun = await harness.database.query("select distinct redirect_uri from connect_flows");
    expect(
      begun.map((row) => String(row["redirect_uri"])).filter((address) => !isAllowed(address)),
    ).toEqual([]);
    expect(harness.logLines.filter((line) => line.includes("evil"))).toEqual([]);
  });

  test("the page does not repeat the address", async () => {
    const seen = await new ConnectVisitor(harness.baseUrl).ask(
      "GET",
      linkPath(client, { redirect_uri: "https://evil.example/<script>" }),
    );
    expect(textOf(seen)).not.toContain("evil");
    expect(seen.html).not.toContain("<script>");
  });
});
