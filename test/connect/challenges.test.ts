import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSignInTable } from "../../src/connect/flow-store.ts";
import { formatText } from "../../src/connect/pages/format.ts";
import { en } from "../../src/connect/texts/en.ts";
import { AskingProvider } from "../support/asking-provider.ts";
import {
  ConnectVisitor,
  headingOf,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { forgetSignIns } from "../support/forget-sign-ins.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const names = { provider: "Asking HR", client: "Test" };
const asking = new AskingProvider();
let harness: Harness;
let work: ReturnType<typeof workSignIns>;
let client: { clientId: string };

beforeAll(async () => {
  harness = await createHarness({ registry: asking.registry() });
  ({ client } = await harness.createClient());
  work = workSignIns(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  await work.drained();
  await forgetSignIns(harness);
  asking.reset();
});

/** Signs in as somebody whom the provider asks for these kinds of answers. */
async function begin(kinds: string): Promise<{ visitor: ConnectVisitor; page: Seen }> {
  const visitor = new ConnectVisitor(harness.baseUrl);
  const form = await visitor.open(linkPath(client, { provider: "asking" }));
  const fields = { username: kinds, password: "x", region: "eu" };
  const sent = await visitor.send(form, "sign-in", fields);
  await work.drained();
  return { visitor, page: await visitor.open(sent.path) };
}

async function rowOf({ path }: Seen): Promise<Record<string, unknown>> {
  const [row] = await harness.database.query(
    'select phase, step, due_at as "dueAt", lease_until as "leaseUntil" from connect_flows where id = $1',
    [path.split("/")[2]],
  );
  return row ?? {};
}

describe("a challenge", () => {
  test.each([
    ["otp", "Code from your phone", 'autocomplete="one-time-code"', " 123456 "],
    ["text", "A colour", 'type="text"', "blue"],
    ["secret", "A colour", 'type="password"', "blue"],
    ["choose", "Which company?", 'type="radio"', "b"],
  ])("of kind %s asks %s, and its answer signs in", async (kind, prompt, control, answer) => {
    const { visitor, page } = await begin(kind);
    expect(headingOf(page)).toBe(en.title.question);
    expect(textOf(page)).toContain(prompt);
    expect(page.html).toContain(control);
    expect((await visitor.answer(page, answer)).left).toContain("code=");
    expect(asking.answers).toEqual([answer.trim()]);
  });

  test("of kind otp takes a code with the spaces that an authenticator app shows in it", async () => {
    const { visitor, page } = await begin("otp");
    expect((await visitor.answer(page, "123 456")).left).toContain("code=");
    expect(asking.answers).toEqual(["123456"]);
  });

  test.each([
    ["otp", "000000", en.refusals.incorrect_mfa_or_otp],
    ["text", "green", formatText(en.form.wrongAnswer, names)],
    ["choose", "a", formatText(en.form.wrongAnswer, names)],
  ])("of kind %s may be answered again after a wrong answer", async (kind, wrong, sentence) => {
    const { visitor, page } = await begin(kind);
    const again = await visitor.answer(page, wrong);
    expect(textOf(again)).toContain(sentence);
    expect(again.html).not.toContain(`value="${wrong}" checked`);
    const right = { otp: "123456", text: "blue", choose: "b" }[kind] ?? "";
    expect((await visitor.answer(again, right)).left).toContain("code=");
  });

  test.each(["c", "A", "Acme <Ltd>", "", "__proto__"])(
    "offers options, and %j, which is none of them, never reaches the adapter",
    async (answer) => {
      const { visitor, page } = await begin("choose");
      const refused = await visitor.answer(page, answer);
      expect(textOf(refused)).toContain(en.problems.choice);
      expect(textOf(refused)).toContain("Acme <Ltd>");
      expect(asking.answers).toEqual([]);
      expect((await visitor.answer(refused, "b")).left).toContain("code=");
    },
  );

  test.each(["otp", "text"])(
    "of kind %s ignores an answer of nothing, or of too much",
    async (kind) => {
      const { visitor, page } = await begin(kind);
      for (const answer of ["", "   ", "x".repeat(2_049)]) {
        const same = await visitor.answer(page, answer);
        expect(textOf(same)).toBe(textOf(page));
      }
      expect(asking.answers).toEqual([]);
    },
  );

  test("may follow a challenge, ten in one sign-in", async () => {
    const { visitor, page } = await begin("text,choose,otp,wait,text,text,text,text,text,text");
    let current = page;
    for (const answer of ["blue", "b", "123456"]) current = await visitor.answer(current, answer);
    for (const _try of [1, 2]) await approve(5);
    current = await visitor.open(current.path);
    for (let left = 0; left < 6; left += 1) current = await visitor.answer(current, "blue");
    expect(current.left).toContain("code=");
  });

  test("is the last one after ten: an eleventh is a mistake of the adapter", async () => {
    const { visitor, page } = await begin("text,".repeat(11).slice(0, -1));
    let current = page;
    for (let answers = 0; answers < 10; answers += 1)
      current = await visitor.answer(current, "blue");
    expect(headingOf(current)).toBe("Sign in to Asking HR");
    expect(textOf(current)).toContain(formatText(en.problems.broken, names));
  });

  test.each([
    ["of an unknown kind", { kind: "redirect", prompt: "Go", state: {}, url: "https://x.example" }],
    ["without a prompt", { kind: "text", prompt: "", state: {} }],
    ["without a state", { kind: "text", prompt: "A colour" }],
    ["without options", { kind: "choose", prompt: "Which?", options: [], state: {} }],
    [
      "with one option twice",
      {
        kind: "choose",
        prompt: "Which?",
        options: [
          { value: "a", title: "A" },
          { value: "a", title: "B" },
        ],
        state: {},
      },
    ],
  ])("%s is a mistake of the adapter", async (_what, challenge) => {
    asking.challenge = challenge;
    const { page } = await begin("text");
    expect(textOf(page)).toContain(formatText(en.problems.broken, names));
  });
});

/** Lets the time pass until the provider is asked again. */
async function approve(seconds: number): Promise<void> {
  harness.clock.advance(seconds);
  await work.drained();
}

/** The attempts of the last hour, for each account. */
async function countOfHours(): Promise<unknown[]> {
  const rows = await harness.database.query(
    "select cardinality(attempts) as attempts from sign_in_hours",
  );
  return rows.map(({ attempts }) => attempts);
}

describe("an approval elsewhere", () => {
  test("is waited for on a page that goes on by itself without a script", async () => {
    const { visitor, page } = await begin("wait");
    expect(headingOf(page)).toBe(en.title.approval);
    expect(textOf(page)).toContain("Approve it in your app");
    expect(page.html).toContain('<noscript><meta http-equiv="refresh" content="5">');
    await approve(5);
    expect(textOf(await visitor.open(page.path))).toBe(textOf(page));
    await approve(5);
    expect((await visitor.ask("GET", page.path)).left).toContain("code=");
    expect(asking.answers).toEqual(["", ""]);
  });

  test.each([
    [undefined, 5],
    [7, 7],
    [0, 2],
    [1_000, 30],
  ])("with everySeconds %s is asked for every %i seconds", async (everySeconds, pause) => {
    asking.everySeconds = everySeconds;
    asking.onWait = () => "open";
    await begin("wait");
    for (const asked of [1, 2]) {
      await approve(pause - 1);
      expect(asking.answers).toHaveLength(asked - 1);
      await approve(1);
      expect(asking.answers).toHaveLength(asked);
    }
  });

  test("has no place between the tries", async () => {
    const { page } = await begin("wait");
    await approve(5);
    expect(await rowOf(page)).toMatchObject({ phase: "waiting", leaseUntil: null });
  });

  test("goes on after the provider was away for a while", async () => {
    asking.onWait = (tries) =>
      asking.answers.length < 3 ? "down" : tries < 1 ? "open" : "approved";
    const { visitor, page } = await begin("wait");
    for (let tries = 0; tries < 3; tries += 1) await approve(5);
    expect((await visitor.ask("GET", page.path)).left).toContain("code=");
  });

  test("goes on after no process could read the sign-in for a while", async () => {
    const { visitor, page } = await begin("wait");
    const id = page.path.split("/")[2];
    const change = (terms: string) =>
      harness.database.query(`update connect_flows set sealed_terms = ${terms} where id = $1`, [
        id,
      ]);
    await change("sealed_terms || '\\x00'");
    await approve(5);
    await change("substr(sealed_terms, 1, length(sealed_terms) - 1)");
    await approve(60);
    await approve(5);
    expect((await visitor.ask("GET", page.path)).left).toContain("code=");
  });

  test("that is denied leads back to the form, in words, and counts as refused", async () => {
    asking.onWait = () => "denied";
    const { visitor, page } = await begin("wait");
    await approve(5);
    const form = await visitor.open(page.path);
    expect(headingOf(form)).toBe("Sign in to Asking HR");
    expect(textOf(form)).toContain(formatText(en.problems.unapproved, names));
    expect(await harness.database.query("select refusals from sign_in_throttle")).toEqual([
      { refusals: 1 },
    ]);
    expect(await countOfHours()).toEqual([1]);
  });

  test("counts as refused until it is given", async () => {
    await begin("wait");
    expect(await countOfHours()).toEqual([1]);
    await approve(5);
    await approve(5);
    expect(await countOfHours()).toEqual([0]);
  });

  test("that nobody gives makes further ones of the account wait", async () => {
    asking.onWait = () => "open";
    for (let asked = 0; asked < 4; asked += 1) await begin("wait");
    const { page } = await begin("wait");
    expect(await rowOf(page)).toMatchObject({ phase: "running" });
  });

  test("may become another one: the page changes with the prompt alone", async () => {
    asking.onWait = (tries) => (tries === 1 ? "open" : tries === 2 ? "next" : "approved");
    const { visitor, page } = await begin("wait");
    const { step } = await rowOf(page);
    await approve(5);
    expect(await rowOf(page)).toMatchObject({ step });
    await approve(5);
    expect(textOf(await visitor.open(page.path))).toContain("Now type 42 in your app");
    await approve(5);
    expect((await visitor.ask("GET", page.path)).left).toContain("code=");
  });

  test("is asked for no more after the end user has cancelled, or the time of the sign-in is over", async () => {
    asking.onWait = () => "open";
    const cancelled = await begin("wait");
    await cancelled.visitor.send(cancelled.page, "decline");
    await begin("wait");
    harness.clock.advance(1_800);
    await work.drained();
    for (let later = 0; later < 3; later += 1) await approve(30);
    expect(asking.answers).toEqual([]);
  });

  test("is asked for by another worker when one was killed, or was told to end, at it", async () => {
    const { visitor, page } = await begin("wait");
    await work.stop();
    harness.clock.advance(5);
    const killed = await createSignInTable(harness.services.pool).claim();
    expect(killed).toBeDefined();
    harness.clock.advance(11);
    work = workSignIns(harness);
    await work.drained();
    expect(asking.answers).toHaveLength(1);
    await approve(5);
    expect((await visitor.ask("GET", page.path)).left).toContain("code=");
  });
});
