import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { RateLimited, Unavailable } from "../../../src/model/index.ts";
import { failUnknownFlow, unknownFlow } from "../../support/connect-visitor.ts";
import { makePng } from "../../support/png.ts";
import type { SlowProvider } from "./providers.ts";
import { begin, press, signInAs, type Stage } from "./stage.ts";

interface Way {
  stage: Stage;
  slow: SlowProvider;
  page: Page;
}

const fewScopes = "/2023-03-01/xhr/employees /2023-03-01/xhr/time-off-entries";

/** How to come to each page that there is. */
export const everyPage: Record<string, (way: Way) => Promise<unknown>> = {
  choose: ({ page, stage }) =>
    page.goto(stage.link({ provider: undefined, tags: "few", scope: fewScopes })),
  "choose-many": ({ page, stage }) => page.goto(stage.link({ provider: undefined, tags: "many" })),
  "choose-found": ({ page, stage }) => search({ page, stage }, "lohne"),
  "choose-none-found": ({ page, stage }) => search({ page, stage }, "<b>&amp;$& nobody"),
  "choose-nothing": ({ page, stage }) =>
    page.goto(stage.link({ provider: undefined, tags: "nothing" })),
  "sign-in": ({ page, stage }) => page.goto(stage.link()),
  "sign-in-without-cookie": async ({ page, stage }) => {
    await page.goto(stage.link());
    await page.context().clearCookies();
    await signInAs(page, "user_good");
  },
  "sign-in-odoo": ({ page, stage }) =>
    page.goto(
      stage.link({
        provider: "odoo",
        scope: fewScopes,
        redirect_uri: "https://app.acme.example/callback",
      }),
    ),
  "sign-in-full": async ({ page, stage }) => {
    await stage.harness.services.clients.update(await stage.currentClient(), {
      logo: makePng().toString("base64"),
      purpose: "To plan holidays and shifts for your teams.",
      privacyUrl: "https://app.acme.example/privacy",
      supportUrl: "mailto:help@acme.example",
    });
    await page.goto(stage.link({ provider: "odoo", scope: fewScopes }));
  },
  "sign-in-branded": async ({ page, stage }) => {
    const { clients } = stage.harness.services;
    const redirectUris = [stage.app.redirectUri];
    const { client } = await clients.create({ name: "Plum Shifts", redirectUris });
    const logo = makePng().toString("base64");
    const { clientId } = await clients.update(client, { brandColor: "#a2185b", logo });
    await page.goto(stage.link({ client_id: clientId, provider: "odoo", scope: fewScopes }));
  },
  "sign-in-key": ({ page, stage }) =>
    page.goto(stage.link({ provider: "by-key", scope: fewScopes })),
  "sign-in-chosen": async ({ page, stage }) => {
    await page.goto(stage.link({ provider: undefined, tags: "few", scope: fewScopes }));
    await press(page, "Beta Payroll");
  },
  "sign-in-again": async ({ page, stage }) => {
    const { tokenId } = await stage.harness.connect({
      client: { client: stage.client, secret: stage.secret },
    });
    await page.goto(await stage.session({ token: tokenId }));
  },
  "refused-password": ({ page, stage }) => signIn({ page, stage }, "user_bad_password"),
  "refused-captcha": ({ page, stage }) => signIn({ page, stage }, "user_captcha"),
  "refused-field": async ({ page, stage }) => {
    await page.goto(stage.link({ provider: "odoo", scope: fewScopes }));
    await page.getByLabel("Address of your Odoo").fill("ftp://nowhere");
    await press(page, "Continue");
  },
  "sign-in-found": async ({ page, stage }) => {
    await page.goto(stage.link({ provider: "placed", scope: fewScopes }));
    await page.getByLabel("Address of your system").fill("https://people.acme.example");
    await press(page, "Continue");
    await page.getByText("Found your Placed HR 19 at people.acme.example.").waitFor();
  },
  working: async ({ page, stage, slow }) => {
    await page.goto(stage.link({ provider: "slow" }));
    await signInAs(page, "ann");
    await slow.reached;
  },
  code: ({ page, stage }) => signIn({ page, stage }, "user_mfa"),
  "code-wrong": async ({ page, stage }) => {
    await signIn({ page, stage }, "user_mfa");
    await page.getByRole("textbox").fill("000000");
    await press(page, "Continue");
  },
  "question-text": (way) => ask(way, "text"),
  "question-secret": (way) => ask(way, "secret"),
  "question-wrong": async (way) => {
    await ask(way, "text");
    await way.page.getByRole("textbox").fill("green");
    await press(way.page, "Continue");
  },
  "question-choose": (way) => ask(way, "choose"),
  "question-choose-none": async (way) => {
    await ask(way, "choose");
    await way.page.locator("form[action$=answer]").evaluate(skipChecks);
    await press(way.page, "Continue");
  },
  approval: (way) => ask(way, "wait"),
  "sign-in-choices": ({ page, stage }) =>
    page.goto(stage.link({ provider: "asking", scope: fewScopes })),
  "sign-in-no-choice": async ({ page, stage }) => {
    await page.goto(stage.link({ provider: "asking", scope: fewScopes }));
    await page
      .locator("option")
      .first()
      .evaluate((option) => option.setAttribute("value", "x"));
    await signInAs(page, "none");
  },
  failed: async ({ page, stage }) => {
    await stage.harness.database.query("delete from sign_in_throttle");
    await page.goto(stage.link());
    for (let step = 1; step <= 5; step += 1) await signInAs(page, `nobody_${step}`);
  },
  done: async ({ page, stage }) => {
    const address = await goThrough({ page, stage });
    await stage.letTimePass(address, 61);
    await page.goto(address);
  },
  declined: async ({ page, stage }) => {
    const address = await begin(page, stage.link());
    await press(page, "Cancel and go back");
    await page.goto(address);
  },
  accesses: ({ page, stage }) => page.goto(`${stage.harness.baseUrl}/connect/accesses`),
  "accesses-found": ({ page, stage }) =>
    page.goto(`${stage.harness.baseUrl}/connect/accesses?q=lohne`),
  "accesses-none-found": ({ page, stage }) =>
    page.goto(`${stage.harness.baseUrl}/connect/accesses?q=%3Cb%3E%26nobody`),
  "accesses-sign-in": (way) => openAccesses(way, "Alpha HR"),
  "accesses-refused": async (way) => {
    await openAccesses(way, "Troubled HR");
    await signInAs(way.page, "down", "Sign in");
  },
  "accesses-working": async (way) => {
    await openAccesses(way, "Slow & Steady");
    await signInAs(way.page, "ann", "Sign in");
    await way.slow.reached;
  },
  "accesses-question": async (way) => {
    await openAccesses(way, "Asking HR");
    await signInAs(way.page, "text", "Sign in");
  },
  "accesses-list": (way) => listAccesses(way),
  "accesses-settings": async (way) => {
    const { page, stage } = way;
    await page.goto(stage.link({ provider: "asking", scope: fewScopes }));
    await signInAs(page, "none");
    await page.waitForURL(`${stage.app.redirectUri}**`);
    await stage.exchange(stage.app.latest["code"] ?? "");
    await openAccesses(way, "Asking HR");
    await signInAs(page, "none", "Sign in");
    await page
      .getByRole("link", { name: /Settings/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Save" }).waitFor();
  },
  "accesses-none": async (way) => {
    await openAccesses(way, "Beta Payroll");
    await signInAs(way.page, "nobody", "Sign in");
  },
  "accesses-asked": async (way) => {
    await listAccesses(way);
    await way.page.getByRole("link", { name: /End access/ }).click();
    await way.page.getByRole("heading", { name: "End the access of" }).waitFor();
  },
  "accesses-ended": async (way) => {
    await everyPage["accesses-asked"]?.(way);
    await press(way.page, "End access");
  },
  "recipe-page": ({ page, stage }) =>
    page.goto(`${stage.harness.baseUrl}/connect/help/odoo/official?lang=de`),
  "handed-over": async ({ page, stage }) => {
    await page.goto(await stage.session({ allow_handover: true }));
    await press(page, "Send this to a colleague");
  },
  "handed-over-helping": async ({ page, stage }) => {
    await page.goto(await stage.session({ allow_handover: true }));
    await press(page, "Send this to a colleague");
    const colleague = await stage.visitor();
    await colleague.goto(await page.locator("#link").inputValue());
    const digits = await page.locator(".digits").innerText();
    await colleague.getByLabel("Six digits").fill(digits);
    await press(colleague, "Continue");
    await page.getByText("Your colleague is signing in.").waitFor();
  },
  "handover-entrance": async ({ page, stage }) => {
    const first = await stage.visitor();
    await first.goto(await stage.session({ allow_handover: true }));
    await press(first, "Send this to a colleague");
    const link = await first.locator("#link").inputValue();
    await first.close();
    await page.goto(link);
    await page.getByLabel("Six digits").fill("12345");
    await press(page, "Continue");
  },
  nowhere: ({ page, stage }) => page.goto(`${stage.harness.baseUrl}/nothing/here`),
  "accesses-closed": async (way) => {
    await listAccesses(way);
    await press(way.page, "Sign out");
  },
  expired: async ({ page, stage }) => {
    await stage.letTimePass(await begin(page, stage.link()), 1_801);
    await page.reload();
  },
  used: async ({ page, stage }) => {
    const link = await stage.session();
    await begin(await stage.visitor(), link);
    await page.goto(link);
  },
  unknown: ({ page, stage }) => page.goto(stage.harness.baseUrl + unknownFlow),
  "wrong-redirect": ({ page, stage }) =>
    page.goto(stage.link({ redirect_uri: `${stage.app.redirectUri}/` })),
  "wrong-client": ({ page, stage }) =>
    page.goto(stage.link({ client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643" })),
  "wrong-link": ({ page, stage }) =>
    page.goto(`${stage.harness.baseUrl}/connect?session=rc_ln_dev_cut`),
  forged: async ({ page, stage }) => {
    await begin(page, stage.link());
    await page
      .locator("form[action$=sign-in] [name=form_token]")
      .evaluate((input) => input.setAttribute("value", "forged"));
    await signInAs(page, "user_good");
  },
  "too-many": (way) => refuse(way, new RateLimited(30)),
  unavailable: (way) => refuse(way, new Unavailable("away", 5)),
  "server-error": (way) => refuse(way, new Error("a mistake")),
};

/** Signs in as somebody whom the provider asks for these kinds of answers. */
async function ask({ page, stage }: Way, kinds: string): Promise<void> {
  await page.goto(stage.link({ provider: "asking" }));
  await signInAs(page, kinds);
}

async function openAccesses({ page, stage }: Way, title: string): Promise<void> {
  await page.goto(`${stage.harness.baseUrl}/connect/accesses`);
  await press(page, title);
}

/** One access, of the client that has everything that a client can show. */
async function listAccesses(way: Way): Promise<void> {
  const { page, stage } = way;
  await page.goto(stage.link({ provider: "alpha", scope: fewScopes }));
  const user = `ann-${randomUUID()}`;
  await signInAs(page, user);
  await page.waitForURL(`${stage.app.redirectUri}**`);
  await stage.exchange(stage.app.latest["code"] ?? "");
  await openAccesses(way, "Alpha HR");
  await signInAs(page, user, "Sign in");
}

/** Lets the browser send a form that it would hold back. */
function skipChecks(form: unknown): void {
  (form as { noValidate: boolean }).noValidate = true;
}

async function search({ page, stage }: Pick<Way, "page" | "stage">, text: string): Promise<void> {
  const address = await begin(page, stage.link({ provider: undefined, tags: "many" }));
  await page.goto(`${address}?${new URLSearchParams({ q: text }).toString()}`);
}

async function signIn({ page, stage }: Pick<Way, "page" | "stage">, user: string): Promise<void> {
  await page.goto(stage.link());
  await signInAs(page, user);
}

/** The address of a flow that led to a code. */
async function goThrough({ page, stage }: Pick<Way, "page" | "stage">): Promise<string> {
  const address = await begin(page, stage.link());
  await signInAs(page, "user_good");
  return address;
}

async function refuse({ page, stage }: Way, error: Error): Promise<void> {
  failUnknownFlow(stage.harness, error);
  await page.goto(stage.harness.baseUrl + unknownFlow);
}
