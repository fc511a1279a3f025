import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderMarkdown } from "../../src/guides/markdown.ts";
import { textOfMarkup } from "../support/guide-code.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { projectDir } from "../support/program-environment.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const get = (path: string, headers: Record<string, string> = { accept: "text/html" }) =>
  harness.http.get(path, { headers });
const open = async (path: string): Promise<string> => (await get(path)).bytes.toString();
const linksOf = (markup: string): string[] =>
  [...markup.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, target = ""]) => textOfMarkup(target));

/** Every page that can be reached from /docs by links, by its address. */
async function crawl(): Promise<Map<string, { status: number; markup: string }>> {
  const pages = new Map<string, { status: number; markup: string }>();
  const waiting = ["/docs"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const { status, bytes } = await get(path);
    pages.set(path, { status, markup: bytes.toString() });
    const found = linksOf(bytes.toString()).map((target) => target.split("#", 1)[0] ?? "");
    if (path.startsWith("/docs")) waiting.push(...found.filter((target) => target.startsWith("/")));
  }
  return pages;
}

/** The files that make pages, among all that a file of src/ loads. */
const makersLoadedBy = (file: string): string[] => {
  const script = `
    import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    await import("./src/${file}");
    const found = urls.map((url) => /guides\\/library|highlight\\.js|markdown-it/.exec(url)?.[0]);
    console.log(JSON.stringify([...new Set(found)].filter(Boolean).sort()));`;
  const node = join(projectDir, "node_modules/.bin/node");
  const options = { cwd: projectDir, encoding: "utf8" } as const;
  const printed = execFileSync(node, ["--input-type=module", "-e", script], options);
  return JSON.parse(printed) as string[];
};

const render = (text: string): string =>
  renderMarkdown(text, (target) => (target.startsWith("../") ? undefined : target)).body.toString();

interface Hit {
  address: string;
  title: string;
  place: string;
  audience: string;
}

const hits = async (query: string): Promise<Hit[]> => {
  const address = `/docs/search/hits?${new URLSearchParams({ q: query }).toString()}`;
  const { status, body } = await get(address);
  expect(status).toBe(200);
  return body as Hit[];
};

const search = async (query: string) => {
  const page = await open(`/docs/search?${new URLSearchParams({ q: query }).toString()}`);
  const lists = [...page.matchAll(/<ol class="found">([\s\S]*?)<\/ol>/g)].map(([, list]) => list);
  return { page, found: linksOf(lists.join("")) };
};

describe("the pages", () => {
  test("each link leads to a page, and to a heading if it names one", async () => {
    const pages = await crawl();
    expect(pages.size).toBeGreaterThan(40);
    const lost = [...pages].filter(([, { status }]) => status !== 200).map(([path]) => path);
    expect(lost).toEqual([]);
    const without = [...pages].flatMap(([path, { markup }]) =>
      linksOf(markup)
        .filter((target) => target.includes("#"))
        .filter((target) => {
          const [file, anchor] = target.split("#");
          return !pages.get(file || path)?.markup.includes(`id="${anchor}"`);
        })
        .map((target) => `${path}: ${target}`),
    );
    expect(without).toEqual([]);
  });

  test("are those of the guides that an application or an operator needs, and no others", async () => {
    const shown = [...(await crawl()).keys()].filter((path) => /^\/docs\/[a-z-]+$/.test(path));
    expect(shown.sort()).toEqual(
      (
        "backups changelog client-libraries commands configuration console coverage decisions errors-and-limits events going-live operating " +
        "performance providers quickstart reference runbooks sandbox security sign-in-link sign-in-popup " +
        "waiting-and-freshness webhooks"
      )
        .split(" ")
        .map((slug) => `/docs/${slug}`),
    );
    for (const path of ["/docs/contributing", "/docs/architecture", "/docs/..%2fREADME"])
      expect((await get(path)).status).toBe(404);
  });

  test("run scripts of ours alone, load nothing from elsewhere and show in no frame", async () => {
    for (const path of [
      "/docs",
      "/docs/webhooks",
      "/docs/reference/list-employees",
      "/docs/search?q=x",
      "/docs/no",
    ]) {
      const { headers, bytes } = await get(path);
      expect([path, headers["content-security-policy"]]).toEqual([
        path,
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      ]);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      const script = /<script type="module" src="\/docs\/assets\/[\w-]+\/[\w-]+\.js"><\/script>/g;
      expect(bytes.toString().match(script)?.length).toBeOneOf([2, 3]);
      expect(bytes.toString().replaceAll(script, "")).not.toMatch(
        /<script|<style|<iframe|\sstyle=|<[^>]+\son[a-z]+=/i,
      );
      const sources = [...bytes.toString().matchAll(/(?:src|<link[^>]*href)="([^"]*)"/g)];
      expect(sources.filter(([, source = ""]) => !source.startsWith("/docs/assets/"))).toEqual([]);
    }
  });

  test("show the pictures of their documents, of the page and of its text", async () => {
    const { markup = "" } = (await crawl()).get("/docs/console") ?? {};
    const shown = [...markup.matchAll(/<img src="([^"]+)" alt="[^"]+"/g)].map(
      ([, src = ""]) => src,
    );
    const text = (await get("/docs/console.md")).bytes.toString();
    const named = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(shown.length).toBeGreaterThan(3);
    expect(named).toEqual(shown);
    for (const source of shown) {
      const { pathname } = new URL(source, "http://127.0.0.1/docs/console");
      const { status, headers, bytes } = await get(pathname);
      expect([pathname, status, headers["content-type"]]).toEqual([pathname, 200, "image/png"]);
      expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    }
    expect((await get("/docs/pictures/none.png")).status).toBe(404);
  });

  test("one that is not there is a page for a person, and JSON for a program", async () => {
    const page = await get("/docs/nothing");
    expect([page.status, page.bytes.toString().includes("There is no such page")]).toEqual([
      404,
      true,
    ]);
    const { status, body } = await get("/docs/nothing", { accept: "application/json" });
    expect([status, body]).toEqual([
      404,
      { message: "There is nothing at this path.", id: "/docs/nothing" },
    ]);
  });

  test.each([
    ["/docs/", "/docs"],
    ["/docs/json", "/openapi.json"],
    ["/docs/try", "/docs/reference"],
    ["/docs/try/", "/docs/reference"],
    ["/docs/try/json", "/openapi.json"],
  ])("%s redirects to %s, where it is now", async (from, to) => {
    const { status, headers } = await get(from);
    expect([status, headers["location"]]).toEqual([308, to]);
    expect((await get(to)).status).toBe(200);
  });

  test("what makes them is not loaded before the first one is asked for", () => {
    expect(makersLoadedBy("start/api.ts")).toEqual([]);
    expect(makersLoadedBy("guides/library.ts")).toEqual(["guides/library"]);
    expect(makersLoadedBy("guides/markdown.ts")).toEqual(["highlight.js", "markdown-it"]);
  });
});

describe("what programs read", () => {
  test("/llms.txt lists the text of each guide, at the address of the service", async () => {
    const { headers, bytes } = await get("/llms.txt");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    const text = bytes.toString();
    const addresses = [...text.matchAll(/\]\(https:\/\/api\.example\.com(\/[^)]+)\)/g)];
    const found = await Promise.all(addresses.map(([, path = ""]) => get(path)));
    expect(found.map(({ status }) => status)).toEqual(addresses.map(() => 200));
    const cards = linksOf(await open("/docs")).filter((path) =>
      /^\/docs\/(?!reference|try)\w/.test(path),
    );
    expect(addresses.map(([, path = ""]) => path)).toEqual(
      expect.arrayContaining([...new Set(cards)].map((path) => `${path}.md`)),
    );
  });

  test("the text of a guide is Markdown for this mode, whose links lead to other texts", async () => {
    const { headers, bytes } = await get("/docs/quickstart.md");
    expect(headers["content-type"]).toBe("text/markdown; charset=utf-8");
    const text = bytes.toString();
    expect(text).toMatch(/^# Quickstart\n/);
    expect(text).toContain("export BASE=https://api.example.com\n");
    expect(text).not.toMatch(/<!--|demo\.json/);
    const links = [...text.matchAll(/\]\((\/docs\/[^)#]+)/g)].map(([, path = ""]) => path);
    expect(links).toContain("/docs/sandbox.md");
    for (const path of new Set(links))
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect((await get("/docs/nothing.md")).status).toBe(404);
  });
});

describe("Markdown", () => {
  test("markup in it stays text, in code too", () => {
    const text = render(
      "<script>alert(1)</script> `<b>`\n\n```ts\nconst a = '</code><script>';\n```",
    );
    expect(text).not.toMatch(/<script|<b>/);
    expect(text).toContain("&lt;script&gt;");
  });

  test("a link that runs a script is no link", () => {
    expect(render("[a](javascript:alert(1)) [b](data:text/html,x)")).not.toContain("<a ");
  });

  test("of a link to a file that is not served only the text is shown", () => {
    expect(render("See [the **file**](../src/cli.ts), [it](there).")).toBe(
      '<p>See the <strong>file</strong>, <a href="there">it</a>.</p>\n',
    );
  });

  test("headings have the anchors of GitHub, and no two the same", () => {
    const { sections } = renderMarkdown(
      "# A\n\n## What a 401 asks for?\n\n## `a_b` & c\n\n## A",
      String,
    );
    expect(sections.map(({ slug }) => slug)).toEqual(["a", "what-a-401-asks-for", "a_b--c", "a-1"]);
  });
});

describe("the search", () => {
  test.each([
    ["signing in again", "/docs/sign-in-link#signing-in-again"],
    ["rotate secrets", "/docs/webhooks#rotate-secrets"],
    ["RATE limits", "/docs/errors-and-limits#rate-limits"],
    ["freshn", "/docs/waiting-and-freshness#freshness"],
    ["exchange authorization code", "/docs/reference/create-token"],
    ["SNAPSHOT_FRESH_SECONDS", "/docs/configuration#variables"],
    ["verify signature", "/docs/webhooks#the-signature-of-standard-webhooks"],
    ["pagination", "/docs/errors-and-limits#rate-limits"],
    ["sdk", "/docs/client-libraries"],
    ["gdpr", "/docs/going-live#the-receipt-of-a-disconnect"],
    ["kubernetes", "/docs/configuration#kubernetes"],
    ["how to get an access token", "/docs/reference/create-token"],
  ])("finds %s among the first, and the list while typing has it", async (query, address) => {
    const found = (await hits(query)).map((hit) => hit.address);
    expect(found.slice(0, 4)).toContain(address);
    expect(found).toHaveLength(new Set(found).size);
    expect((await search(query)).found).toContain(address);
  });

  test("tells for whom a hit is written, and answers of applications come before reasons", async () => {
    const found = await hits("exchange code");
    expect(found[0]?.audience).toMatch(/Guides|API reference/);
    const { page } = await search("exchange code");
    const titles = [...page.matchAll(/<h2>([^<]+)<\/h2><ol class="found">/g)].map(
      ([, title]) => title,
    );
    expect(titles.length).toBeGreaterThan(2);
    expect(titles).toHaveLength(new Set(titles).size);
    expect(titles[0]).toMatch(/Guides|API reference/);
    expect(found.filter(({ audience }) => audience === "Reasons and changes")).toEqual([]);
  });

  test("finds what has all words, and marks them", async () => {
    const { page, found } = await search("webhook-timestamp five minutes");
    expect(found[0]).toMatch(/^\/docs\/webhooks/);
    expect(page).toMatch(/<mark>five<\/mark>/);
  });

  test.each(["", "   ", "qqqqzzzz", "webhook qqqqzzzz", "(.*+?)[", "💥", "x".repeat(5_000)])(
    "finds nothing for %j, and says so or asks for words",
    async (query) => {
      const { page, found } = await search(query);
      expect(found).toEqual([]);
      expect(page).toMatch(/Nothing has all of these words|Type one or more words/);
    },
  );

  test("shows the query as text", async () => {
    const { page } = await search('"><script>alert(1)</script>');
    expect(page).not.toContain("<script>");
    expect(page).toContain("&quot;&gt;&lt;script&gt;");
  });
});

describe("a page of an operation", () => {
  test("describes every header, and those of all statuses once", async () => {
    const page = await open("/docs/reference/list-payruns");
    expect(page).not.toContain('<span class="kind">any</span>');
    const named = (name: string) => page.split(`<code class="name">${name}</code>`).length - 1;
    expect(["x-request-id", "RateLimit", "RateLimit-Policy"].map(named)).toEqual([1, 1, 1]);
    expect(named("Retry-After")).toBeGreaterThan(1);
    expect(page).toContain('<span class="kind">integer</span>');
    const [, shared = ""] = page.split("Headers of every response</a></h2>");
    expect(textOfMarkup(shared)).toContain(
      "Id of the request. Quote it when you ask about a reply.",
    );
  });

  test("shows code of descriptions as code", async () => {
    const pages = [...(await crawl())].filter(([path]) => path.startsWith("/docs/reference"));
    expect(pages.length).toBeGreaterThan(30);
    const withBackticks = pages.filter(([, { markup }]) =>
      markup.replaceAll(/<pre[\s\S]*?<\/pre>/g, "").includes("`"),
    );
    expect(withBackticks.map(([path]) => path)).toEqual([]);
    expect((await search("Retry-After seconds")).page).toMatch(/<code>(<mark>)?Retry/);
    expect((await search("Retry-After seconds")).page).not.toContain("`");
  });

  test("names its scope, and shows a 400 that a developer meets or none", async () => {
    const [payslips, employees, company] = await Promise.all(
      ["list-payslips", "list-employees", "list-companies"].map((slug) =>
        open(`/docs/reference/${slug}`),
      ),
    );
    expect(payslips).toContain(
      "<strong>Scope:</strong> <code>/2023-03-01/xhr/payruns/:payrun_id</code>",
    );
    expect(textOfMarkup(employees!)).toContain("employment_status: has to be one of active");
    expect(company).not.toContain("host: is required once");
  });
});

test("a page of an operation has its parameters, body, statuses and headers", async () => {
  const text = textOfMarkup(await open("/docs/reference/list-timesheets")).replaceAll(/\s+/g, " ");
  for (const part of [
    "GET/2023-03-01/xhr/timesheets",
    "start_date date required",
    "Retry-After",
    "501",
  ])
    expect(text).toContain(part);
  const exchange = textOfMarkup(await open("/docs/reference/create-token")).replaceAll(/\s+/g, " ");
  for (const part of [
    "application/x-www-form-urlencoded",
    "code_verifier",
    "Always authorization_code",
    "409",
  ])
    expect(exchange).toContain(part);
});
