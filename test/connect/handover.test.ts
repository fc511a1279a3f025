import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFlow } from "../../src/connect/find-flow.ts";
import { enterHandover, openHandover } from "../../src/connect/handover.ts";
import {
  carried,
  ConnectVisitor,
  headingOf,
  hiddenFields,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, redirectUri, type Harness } from "../support/harness.ts";
import { StandingClock } from "../support/standing-clock.ts";
import { untilTrue } from "../support/until-true.ts";

const anyone = { username: "user_good", password: "anything" };

// No wait ends by itself.
const clock = new StandingClock();
let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness({ clock });
  owner = await harness.createClient();
  workSignIns(harness);
});
afterAll(() => harness.close());

const browser = (): ConnectVisitor => new ConnectVisitor(harness.baseUrl);
const local = (address: string): string => address.replace("https://api.example.com", "");

async function openSession(json: Record<string, unknown> = { allow_handover: true }) {
  const reply = await harness.http.post("/2023-03-01/management/connect-session", {
    basic: [owner.client.clientId, owner.secret],
    json: {
      redirect_uri: redirectUri,
      scope: "/2023-03-01/xhr/employees",
      provider: "sandbox",
      ...json,
    },
  });
  const first = browser();
  const { connect_url: link } = reply.body as { connect_url: string };
  return { first, page: await first.open(local(link)) };
}

/** What the first browser shows of the colleague's link, and its digits. */
function invitationOf({ html }: Seen): { link: string; digits: string } {
  const [, link = ""] = /<input id="link"[^>]* value="([^"]*)"/.exec(html) ?? [];
  const [, digits = ""] = /<strong>(\d{3} \d{3})<\/strong>/.exec(html) ?? [];
  return { link: local(link), digits };
}

async function handOver() {
  const { first, page } = await openSession();
  const shown = await first.send(page, "hand-over");
  return { first, page: shown, ...invitationOf(shown) };
}

async function enter(colleague: ConnectVisitor, link: string, digits: string): Promise<Seen> {
  const entrance = await colleague.open(link);
  const [, token = ""] = /name="form_token" value="([^"]*)"/.exec(entrance.html) ?? [];
  const sent = await colleague.ask("POST", link, { form_token: token, digits });
  const { location } = sent.headers;
  return typeof location === "string" ? await colleague.open(location) : sent;
}

/** What the page that waits shows of the flow. */
const stepOf = ({ html }: Seen): string => /data-step="([^"]*)"/.exec(html)?.[1] ?? "";

const answer = async (asked: Promise<Seen>): Promise<unknown> =>
  JSON.parse((await asked).html) as unknown;

const wrongOf = (digits: string): string => (digits === "000 000" ? "111111" : "000000");

describe("a colleague who has the link and the digits", () => {
  test("signs in, and the code goes to the first browser alone", async () => {
    const { first, page, link, digits } = await handOver();
    expect(headingOf(page)).toBe("A colleague signs in for you");
    const colleague = browser();
    const entrance = await colleague.open(link);
    expect(textOf(entrance)).toContain("Test would like to read data from Sandbox.");
    expect(textOf(entrance)).toContain("Employees: contact details");
    const form = await enter(colleague, link, digits);
    expect(textOf(form)).not.toContain("app.example.com");
    const done = await colleague.submit(form, anyone);
    expect([headingOf(done), done.left]).toEqual(["Thank you", undefined]);
    const back = await first.open(page.path);
    const code = new Map(carried(back)).get("code") ?? "";
    const late = await colleague.open(done.path);
    expect([headingOf(late), late.left, late.html.includes(code)]).toEqual([
      "Thank you",
      undefined,
      false,
    ]);
    const json = exchangeBody({ ...owner, code });
    expect((await harness.http.post("/2023-03-01/management/token", { json })).status).toBe(201);
  });

  test("does nothing else: no way back to the client, and no part in the hand-over", async () => {
    const { first, page, link, digits } = await handOver();
    const colleague = browser();
    const form = await enter(colleague, link, digits);
    expect(form.html).not.toMatch(/\/(?:decline|hand-over|take-back)"/);
    for (const name of ["decline", "hand-over", "take-back"]) {
      const fields = hiddenFields(form, "sign-in");
      const reply = await colleague.ask("POST", `${form.path}/${name}`, fields);
      expect([reply.left, reply.headers["location"]]).toEqual([undefined, form.path]);
    }
    const ofFirst = hiddenFields(await first.open(page.path), "take-back");
    const forged = await colleague.ask("POST", `${form.path}/sign-in`, { ...ofFirst, ...anyone });
    expect(forged.status).toBe(403);
    expect(headingOf(await colleague.open(form.path))).toBe("Sign in to Sandbox");
  });

  test("is told to the first browser, which waits, as soon as it comes in, and not by a look", async () => {
    const { first, page, link, digits } = await handOver();
    const ask = (step: string): Promise<Seen> =>
      first.ask("GET", `${page.path}/status?seen=${encodeURIComponent(step)}`);
    const step = stepOf(page);
    await browser().open(link);
    expect(stepOf(await first.open(page.path))).toBe(step);
    const before = clock.asleep;
    const asking = answer(ask(step));
    await untilTrue("the page waits", () => clock.asleep > before);
    await enter(browser(), link, digits);
    const shown = stepOf(await first.open(page.path));
    expect(shown).not.toBe(step);
    // Both of a page that waits and of one that asks late.
    expect([await asking, await answer(ask(step))]).toEqual([{ step: shown }, { step: shown }]);
  });

  test("has the sign-in as long as the first browser lets it, which does nothing meanwhile", async () => {
    const { first, page, link, digits } = await handOver();
    const colleague = browser();
    const form = await enter(colleague, link, digits);
    const shown = await first.open(page.path);
    expect(textOf(shown)).toContain("Your colleague is signing in.");
    expect(shown.html).not.toContain(link);
    const fields = { ...hiddenFields(shown, "take-back"), ...anyone };
    await first.ask("POST", `${page.path}/sign-in`, fields);
    expect(headingOf(await first.open(page.path))).toBe(headingOf(page));
    const own = await first.send(shown, "take-back");
    expect((await colleague.open(form.path)).status).toBe(404);
    expect(carried(await first.submit(own, anyone)).map(([name]) => name)).toContain("code");
  });
});

describe("the link of a colleague", () => {
  test("is used up by the first browser with the digits, and by nobody who looks at it", async () => {
    const { link, digits } = await handOver();
    for (const scanner of [browser(), browser()])
      expect((await scanner.open(link)).status).toBe(200);
    await enter(browser(), link, digits);
    const late = await browser().open(link);
    expect([late.status, headingOf(late)]).toEqual([410, "This link has already been used"]);
  });

  test("ends at the fifth wrong digits, and the first browser has its form again", async () => {
    const { first, page, link, digits } = await handOver();
    const stranger = browser();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const wrong = await enter(stranger, link, wrongOf(digits));
      expect(textOf(wrong)).toContain("These aren’t the right digits.");
    }
    expect((await enter(stranger, link, wrongOf(digits))).status).toBe(410);
    expect((await browser().open(link)).status).toBe(410);
    expect(headingOf(await first.open(page.path))).toBe("Sign in to Sandbox");
  });

  test("counts a try that meets another one: the right digits beside wrong ones let nobody in", async () => {
    const { link, digits } = await handOver();
    const id = link.split("/")[2] ?? "";
    const flow = (await findFlow(harness.services, id))!;
    const enterAs = (typed: string) =>
      enterHandover(harness.services, flow, { digits: typed, browser: "another" });
    expect(await enterAs(wrongOf(digits))).toBe("wrong");
    expect(await enterAs(digits)).toBe("wrong");
    const now = (await findFlow(harness.services, id))!;
    expect(openHandover(harness.services.keyring, now)).toMatchObject({
      wrongDigits: 1,
      helper: null,
    });
  });

  test("is worth nothing after an hour, with a wrong key, and after another one was made", async () => {
    const old = await handOver();
    expect((await browser().open(`${old.link}x`)).status).toBe(410);
    const own = await old.first.send(old.page, "take-back");
    const fresh = invitationOf(await old.first.send(own, "hand-over"));
    expect((await browser().open(old.link)).status).toBe(410);
    expect((await browser().open(fresh.link)).status).toBe(200);
    harness.clock.advance(3_599);
    expect((await browser().open(fresh.link)).status).toBe(200);
    harness.clock.advance(1);
    expect((await browser().open(fresh.link)).status).toBe(410);
  });
});

/** Opens a link, and tries to make a colleague's link of it, which somebody in good faith would sign in by. */
async function attack(first: ConnectVisitor, page: Seen): Promise<Seen> {
  expect(page.html).not.toContain("hand-over");
  const begun = await first.ask("POST", page.path, {
    ...hiddenFields(page, "decline"),
    form_name: "hand-over",
  });
  const flow = String(begun.headers["location"]);
  const form = await first.open(flow);
  await first.ask("POST", `${flow}/hand-over`, hiddenFields(form, "sign-in"));
  const shown = await first.open(flow);
  expect(invitationOf(shown)).toEqual({ link: "", digits: "" });
  expect((await browser().open(`${flow}/handover?key=`)).status).toBe(410);
  return shown;
}

describe("a stranger who wants somebody else's code", () => {
  test("gets no link for a colleague out of a plain link", async () => {
    const first = browser();
    const path = linkPath(owner.client, { allow_handover: "true" });
    const form = await attack(first, await first.open(path));
    expect(headingOf(form)).toBe("Sign in to Sandbox");
  });

  test("gets none out of a session whose client did not allow it", async () => {
    const { first, page } = await openSession({});
    expect(headingOf(await attack(first, page))).toBe("Sign in to Sandbox");
  });

  test("with the link alone, or the digits alone, sees no form", async () => {
    const { link, digits } = await handOver();
    const [flow = ""] = link.split("/handover");
    const thief = browser();
    await thief.open(link);
    expect((await thief.open(flow)).status).toBe(404);
    const reply = await thief.ask("POST", `${flow}/handover`, { digits });
    expect(reply.status).toBe(410);
  });
});
