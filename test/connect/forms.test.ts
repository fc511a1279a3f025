import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  ConnectVisitor,
  carried,
  headingOf,
  hiddenFields,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, type Harness } from "../support/harness.ts";
import { manyProviders, SlowProvider } from "./browser/providers.ts";

const anyone = { username: "user_good", password: "anything" };
const moves = ["provider", "other", "sign-in", "answer", "decline"];

const slow = new SlowProvider();
let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness({ registry: manyProviders(slow) });
  owner = await harness.createClient();
  workSignIns(harness);
});
afterAll(() => harness.close());
beforeEach(() => slow.reset());
afterEach(() => slow.answer());

const visitor = (): ConnectVisitor => new ConnectVisitor(harness.baseUrl);

async function rowOf({ path }: Seen): Promise<Record<string, unknown>> {
  const [row] = await harness.database.query(
    'select phase, step, provider, sealed_submission is not null as "isTyped" from connect_flows where id = $1',
    [path.split("/")[2]],
  );
  return row ?? {};
}

const countCodes = async (): Promise<number> =>
  (await harness.database.query("select 1 from authorization_codes")).length;

/** On the page where each form stands. */
async function openAt(move: string): Promise<{ visitor: ConnectVisitor; page: Seen }> {
  const one = visitor();
  const choice = await one.begin(linkPath(owner.client, { provider: undefined, tags: "few" }));
  if (move === "provider") return { visitor: one, page: choice };
  if (move === "other")
    return { visitor: one, page: await one.send(choice, "provider", { provider: "alpha" }) };
  const form = await one.begin(linkPath(owner.client));
  return {
    visitor: one,
    page: move === "answer" ? await one.submit(form, { ...anyone, username: "user_mfa" }) : form,
  };
}

const typed: Record<string, Record<string, string>> = {
  provider: { provider: "alpha" },
  "sign-in": anyone,
  answer: { answer: "123456" },
};

describe("a form that is not this page's own changes nothing", () => {
  const forgeries: [
    string,
    number,
    (at: {
      visitor: ConnectVisitor;
      page: Seen;
      form: Record<string, string>;
      move: string;
    }) => Promise<[ConnectVisitor, Record<string, string | string[]>]>,
  ][] = [
    [
      "without its token",
      403,
      async ({ visitor: one, form: { form_token: _token, ...form } }) => [one, form],
    ],
    [
      "with an empty token",
      403,
      async ({ visitor: one, form }) => [one, { ...form, form_token: "" }],
    ],
    [
      "with a changed token",
      403,
      async ({ visitor: one, form }) => [
        one,
        { ...form, form_token: `${form["form_token"]?.slice(0, -2)}xx` },
      ],
    ],
    [
      "with the token twice",
      403,
      async ({ visitor: one, form }) => [
        one,
        { ...form, form_token: [form["form_token"] ?? "", form["form_token"] ?? ""] },
      ],
    ],
    [
      "with the token of another sign-in of the same browser",
      403,
      async ({ visitor: one, form }) => [
        one,
        {
          ...form,
          form_token:
            hiddenFields(await one.begin(linkPath(owner.client)), "sign-in")["form_token"] ?? "",
        },
      ],
    ],
    ["from a browser without the cookie", 404, async ({ form }) => [visitor(), form]],
    [
      "from another browser with a cookie of its own",
      404,
      async ({ form }) => {
        const other = visitor();
        await other.open(linkPath(owner.client));
        return [other, form];
      },
    ],
  ];

  test.each(
    moves.flatMap((move) =>
      forgeries.map(([how, status, forge]) => [move, how, status, forge] as const),
    ),
  )("%s %s: %i", async (move, _how, status, forge) => {
    const at = await openAt(move);
    const before = await rowOf(at.page);
    const [sender, form] = await forge({
      ...at,
      move,
      form: { ...hiddenFields(at.page, move), ...typed[move] },
    });
    const reply = await sender.ask("POST", `${at.page.path}/${move}`, form);
    expect(reply.status).toBe(status);
    expect(reply.headers["location"]).toBeUndefined();
    expect(await rowOf(at.page)).toEqual(before);
  });

  test.each(moves)("%s by GET: 405", async (move) => {
    const at = await openAt(move);
    const before = await rowOf(at.page);
    const query = new URLSearchParams({
      ...hiddenFields(at.page, move),
      ...typed[move],
    }).toString();
    expect((await at.visitor.ask("GET", `${at.page.path}/${move}?${query}`)).status).toBe(405);
    expect(await rowOf(at.page)).toEqual(before);
  });

  test("a provider that the link does not offer cannot be chosen", async () => {
    const { visitor: one, page } = await openAt("provider");
    for (const provider of ["sandbox", "slow", "nobody", "", "__proto__"])
      expect(headingOf(await one.send(page, "provider", { provider }))).toBe(
        "Choose your HR or payroll system",
      );
  });

  test("fields that the form has not are left out of what the adapter gets", async () => {
    const one = visitor();
    const back = await one.submit(await one.begin(linkPath(owner.client)), {
      ...anyone,
      step_up: "x",
      constructor: "x",
      tokenId: "x",
    });
    expect(back.left).toContain("code=");
  });
});

describe("sent twice, or from a page that is no longer current", () => {
  test("ten sign-ins at once are one", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client));
    const before = await countCodes();
    const fields = { ...hiddenFields(form, "sign-in"), ...anyone };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => one.ask("POST", `${form.path}/sign-in`, fields)),
    );
    expect(replies.map(({ status, headers }) => [status, headers["location"]])).toEqual(
      replies.map(() => [303, form.path]),
    );
    const back = await one.settle(await one.open(form.path));
    expect(back.left).toContain("code=");
    expect(await countCodes()).toBe(before + 1);
  });

  test("ten looks at a sign-in that is through give one code, and all lead to the same address", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client));
    const before = await countCodes();
    await one.ask("POST", `${form.path}/sign-in`, { ...hiddenFields(form, "sign-in"), ...anyone });
    const looks = await Promise.all(
      Array.from({ length: 10 }, async () => await one.settle(await one.open(form.path))),
    );
    expect(new Set(looks.map(({ left }) => left)).size).toBe(1);
    expect(await countCodes()).toBe(before + 1);
    const { code = "" } = Object.fromEntries(carried(looks[0]!));
    expect(
      (
        await harness.http.post("/2023-03-01/management/token", {
          json: exchangeBody({ ...owner, code }),
        })
      ).status,
    ).toBe(201);
  });

  test("every form that was ever shown, sent again afterwards, leads to where it ended", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client));
    const code = await one.submit(form, { ...anyone, username: "user_mfa" });
    const back = await one.answer(code, "123456");
    const before = await countCodes();
    for (const [page, move] of [
      [form, "sign-in"],
      [form, "decline"],
      [code, "answer"],
      [code, "decline"],
    ] as const) {
      expect((await one.send(page, move, typed[move])).left).toBe(back.left);
    }
    expect(await countCodes()).toBe(before);
    harness.clock.advance(61);
    expect(headingOf(await one.send(form, "sign-in", anyone))).toBe("You’re connected");
    expect(await countCodes()).toBe(before);
  });

  test("the first form after a refusal, by way of the back button, shows where the sign-in stands and tries nothing", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client));
    const refused = await one.submit(form, { ...anyone, username: "user_captcha" });
    const again = await one.send(form, "sign-in", anyone);
    expect(textOf(again)).toBe(textOf(refused));
    expect((await rowOf(form))["isTyped"]).toBe(false);
  });

  test("declining twice leads back twice, and what was typed is gone", async () => {
    const one = visitor();
    const form = await one.begin(linkPath(owner.client, { provider: "slow" }));
    const working = await one.send(form, "sign-in", anyone);
    const first = await one.send(working, "decline");
    const second = await one.send(working, "decline");
    expect(Object.fromEntries(carried(first))).toMatchObject({ error: "access_denied" });
    expect(second.left).toBe(first.left);
    slow.answer();
    expect(headingOf(await one.open(form.path))).toBe("Nothing was shared");
    expect(await rowOf(form)).toMatchObject({ phase: "declined", isTyped: false });
  });

  test("declining and succeeding at once come to one of the two", async () => {
    const before = await countCodes();
    const walks = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const one = visitor();
        const form = await one.begin(linkPath(owner.client));
        await one.ask("POST", `${form.path}/sign-in`, {
          ...hiddenFields(form, "sign-in"),
          ...anyone,
        });
        await Promise.all([
          one.open(form.path),
          one.ask("POST", `${form.path}/decline`, hiddenFields(form, "decline")),
        ]);
        return String((await rowOf(form))["phase"]);
      }),
    );
    expect(walks.filter((phase) => phase !== "finished" && phase !== "declined")).toEqual([]);
    expect(await countCodes()).toBe(before + walks.filter((phase) => phase === "finished").length);
  });
});

describe("a login that is refused is named by the fields of its form", () => {
  test.each([
    ["en", "didn’t accept this user name or password."],
    ["de", "hat diese Zugangsdaten nicht akzeptiert (Benutzername oder Passwort)."],
    ["fr", "n’a pas accepté ces identifiants (nom d’utilisateur ou mot de passe)."],
    ["es", "no ha aceptado estas credenciales (nombre de usuario o contraseña)."],
    ["pl", "nie przyjął tych danych logowania (nazwa użytkownika lub hasło)."],
  ])("in %s", async (locale, sentence) => {
    const one = visitor();
    const form = await one.open(linkPath(owner.client, { locale }));
    const refused = await one.submit(form, { ...anyone, username: `nobody_${locale}` });
    expect(textOf(refused)).toContain(sentence);
  });
});
