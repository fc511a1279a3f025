import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { contrastOf } from "../../src/platform/html/index.ts";
import { buildApi } from "../../src/start/api.ts";
import type { Config } from "../../src/config/index.ts";
import { ConnectVisitor, linkPath, type Seen } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { makePng } from "../support/png.ts";

const namespace = 'xmlns="http://www.w3.org/2000/svg"';
const wordmark = `\ufeff<?xml version="1.0" encoding="UTF-8"?>
<!-- Acme > Ltd -->
<svg ${namespace} viewBox="0 0 300 100"><script>alert(1)</script><path d="M0 0h300v100H0z"/></svg>
`;

let harness: Harness;
let page: Seen;
let folder: string;
const write = async (name: string, content: string | Buffer): Promise<string> => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rollcall-brand-"));
  harness = await createHarness({
    env: {
      OPERATOR_LOGO: await write("logo.svg", wordmark),
      SERVICE_NAME: "Acme <Connect>",
      OPERATOR_COLOR: "#1F5AA6",
      OPERATOR_PRIVACY_URL: "https://acme.example/privacy",
      OPERATOR_IMPRINT_URL: "https://acme.example/imprint",
      OPERATOR_SUPPORT_URL: "mailto:help@acme.example",
    },
  });
  const { client } = await harness.createClient();
  page = await new ConnectVisitor(harness.baseUrl).open(linkPath(client, { locale: "de" }));
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

/** Starts the service again, with something else of the operator's. */
async function startWith(changed: Partial<Config>, path = "/connect/accesses"): Promise<Seen> {
  const { services } = harness;
  const app = await buildApi({ ...services, config: { ...services.config, ...changed } });
  const visitor = new ConnectVisitor(await app.listen({ host: "127.0.0.1", port: 0 }));
  const seen = await visitor.open(path);
  await app.close();
  return seen;
}

test("the pages call the service what the operator does, in title, head and sentences", () => {
  expect(page.html).toMatch(/<title>[^<]* · Acme &lt;Connect&gt;<\/title>/);
  expect(page.html).not.toContain("Rollcall");
});

test("the foot leads to the operator's pages, in the language of the page", () => {
  const links = [...page.html.matchAll(/<a href="([^"]+)" target="_blank"[^>]*>([^<]+)/g)];
  expect(links.map(([, address, text]) => [text, address]).slice(-3)).toEqual([
    ["Datenschutz", "https://acme.example/privacy"],
    ["Impressum", "https://acme.example/imprint"],
    ["Hilfe", "mailto:help@acme.example"],
  ]);
});

test("buttons and links have the operator's colour, which can be read on light and dark pages", async () => {
  const [, path = ""] = /<link rel="stylesheet" href="([^"]+brand\.css)">/.exec(page.html) ?? [];
  const { bytes, headers } = await harness.http.get(path);
  expect(headers["content-type"]).toContain("text/css");
  const [light = "", dark = ""] = bytes.toString().split("prefers-color-scheme:dark");
  expect(light).toContain("--accent:#1f5aa6;");
  const [, accent = ""] = /--accent:(#[0-9a-f]{6})/.exec(dark) ?? [];
  const [, onAccent = ""] = /--on-accent:(#[0-9a-f]{6})/.exec(dark) ?? [];
  for (const behind of ["#1f2532", "#191e29", onAccent])
    expect(contrastOf(accent, behind)).toBeGreaterThanOrEqual(4.5);
});

test("a wide logo stands in the head in the place of the name, as a picture in which nothing runs", async () => {
  const [, head = ""] =
    /<header class="brand">(<img[^>]*>)<p class="test-band"/.exec(page.html) ?? [];
  expect(head).toContain('alt="Acme &lt;Connect&gt;" width="84" height="28"');
  const { status, bytes, headers } = await harness.http.get(/src="([^"]+)"/.exec(head)?.[1] ?? "");
  expect({ status, text: bytes.toString() }).toEqual({ status: 200, text: wordmark });
  expect(headers).toMatchObject({
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=31536000, immutable",
  });
});

test("any other logo stands beside the name, and is the sign of the browser's tab", async () => {
  const operatorLogo = await write("logo.png", makePng());
  const { html } = await startWith({ operatorLogo });
  const [, icon = ""] = /<link rel="icon" href="([^"]+\.png)">/.exec(html) ?? [];
  expect(html).toContain(`<img class="logo" src="${icon}" alt="" width="28" height="28">
<span>Acme &lt;Connect&gt;</span>`);
});

/** Of the client's own look, and the colour of the operator's. */
const shownOf = ({ html }: Seen) => ({
  logo: html.includes("/connect/logos/"),
  color: /\/connect\/colors\/(\w+)\//.exec(html)?.[1],
});

describe("a client's logo and colour", () => {
  const color = "#8a1f5a";
  let branded: { clientId: string };
  let bare: { clientId: string };
  beforeAll(async () => {
    const { client } = await harness.createClient();
    const logo = makePng().toString("base64");
    branded = await harness.services.clients.update(client, { brandColor: color, logo });
    bare = (await harness.createClient()).client;
  });

  test.each([
    ["off", { logo: false, color: "1f5aa6" }],
    ["logo", { logo: true, color: "1f5aa6" }],
    ["on", { logo: true, color: "8a1f5a" }],
  ] as const)("with CLIENT_BRANDING=%s its own pages show %j", async (clientBranding, shown) => {
    expect(shownOf(await startWith({ clientBranding }, linkPath(branded)))).toEqual(shown);
    const ofNobody = { logo: false, color: "1f5aa6" };
    expect(shownOf(await startWith({ clientBranding }))).toEqual(ofNobody);
  });

  test("are on no page of another client, and their style is of the colour alone", async () => {
    const clientBranding = "on";
    const other = await startWith({ clientBranding }, linkPath(bare));
    expect(shownOf(other)).toEqual({ logo: false, color: "1f5aa6" });
    const own = await startWith({ clientBranding }, linkPath(branded));
    const [path = ""] = /\/connect\/colors\/[^"]+/.exec(own.html) ?? [];
    expect((await harness.http.get(path)).bytes.toString()).toContain(`--accent:${color};`);
    for (const wrong of [path.replace("8a1f5a", "8a1f5b"), path.replace("8a1f5a", "ffcc00")])
      expect((await harness.http.get(wrong)).status).toBe(404);
  });
});

const noPicture = "is no picture that can be shown. It is a PNG of 16 to 1,024 pixels";
test.each<[string, string | Buffer, string]>([
  ["too large", Buffer.alloc(100_001), "has 100001 bytes; a picture has up to 100000."],
  ["another kind", "GIF89a", noPicture],
  ["a page", `<html><svg ${namespace} viewBox="0 0 9 9"></svg>`, noPicture],
  ["cut off", `<svg ${namespace} viewBox="0 0 9 9"><path d="`, noPicture],
  ["of no size", `<svg ${namespace}></svg>`, noPicture],
  ["of no SVG", '<svg viewBox="0 0 9 9"></svg>', noPicture],
  [
    "not UTF-8",
    Buffer.from(`<svg ${namespace} width="9" height="9">\xe9</svg>`, "latin1"),
    noPicture,
  ],
])("a logo that is %s is refused at the start", async (name, content, why) => {
  const operatorLogo = await write(name, content);
  await expect(startWith({ operatorLogo })).rejects.toThrow(
    `OPERATOR_LOGO: ${operatorLogo} ${why}`,
  );
});

const folderWith = async (files: Record<string, string | Buffer>): Promise<string> => {
  const marks = await mkdtemp(join(folder, "marks-"));
  for (const [name, content] of Object.entries(files)) await writeFile(join(marks, name), content);
  return marks;
};

describe("marks of providers", () => {
  const svg = `<svg ${namespace} viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>`;
  test("stand at the choice and at the form; a provider without one has its letter", async () => {
    // Xero is known, and not offered without an application.
    const providerMarks = await folderWith({ "odoo.svg": svg, "xero.svg": svg, ".hidden": "" });
    const { client } = await harness.createClient();
    const choice = await startWith({ providerMarks }, linkPath(client, { provider: undefined }));
    const [, path = ""] = /src="([^"]+)"[^>]*><\/span><span><bdi>Odoo</.exec(choice.html) ?? [];
    expect(path).toMatch(/^\/connect\/assets\/[\w-]+\/picture\.svg$/);
    expect(choice.html).toContain('<span class="tile" aria-hidden="true">S</span><span><bdi>Staff');
    const form = await startWith({ providerMarks }, linkPath(client, { provider: "odoo" }));
    expect(form.html).toContain(`<span class="tile picture"><img src="${path}" alt=""`);
  });

  test.each([
    [{ "odo.svg": svg }, "odo.svg is of no provider: none is called odo. GET /providers has"],
    [{ "odoo.gif": "GIF89a" }, "odoo.gif is neither .svg nor .png."],
    [{ "odoo.svg": "<html>" }, `odoo.svg ${noPicture}`],
    [{ "odoo.svg": svg, "odoo.png": makePng() }, "odoo.svg is a second mark of odoo."],
    [{ "sandbox.svg": svg }, "sandbox.svg is of the simulated provider, which has our mark."],
  ])("a folder with %j is refused at the start", async (files, why) => {
    const providerMarks = await folderWith(files);
    await expect(startWith({ providerMarks })).rejects.toThrow(
      `PROVIDER_MARKS: ${join(providerMarks, why)}`,
    );
  });

  test("a folder that is not there is refused at the start", async () => {
    const providerMarks = join(folder, "nowhere");
    await expect(startWith({ providerMarks })).rejects.toThrow(
      `PROVIDER_MARKS: ${providerMarks} cannot be read (ENOENT).`,
    );
  });
});

test("a logo that is not there is refused at the start", async () => {
  const operatorLogo = join(folder, "nowhere.svg");
  await expect(startWith({ operatorLogo })).rejects.toThrow(
    `OPERATOR_LOGO: ${operatorLogo} cannot be read (ENOENT).`,
  );
});

test.each([
  ["#ffcc00", "has a contrast of 1.4 on the pages; 4.5 is needed"],
  ["blue", "is a colour such as #1f5aa6"],
])("a colour that cannot be read is refused at the start: %s", (color, why) => {
  expect(() => readConfig({ OPERATOR_COLOR: color })).toThrow(`OPERATOR_COLOR: ${why}`);
});

test("contrast is that of WCAG 2", () => {
  expect(contrastOf("#000000", "#ffffff")).toBe(21);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});
