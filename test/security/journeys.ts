import { request } from "undici";
import { ConnectVisitor, linkPath } from "../support/connect-visitor.ts";
import type { Harness } from "../support/harness.ts";
import type { Received } from "../support/receiver.ts";
import { canary, data, poll, readDue, type Tenant, type TwoTenants } from "./two-tenants.ts";

const base = "/2023-03-01";
const employees = "/xhr/employees";
export const nobodysRedirectUri = "https://nobody.example.com/callback";

interface Reply {
  status: number;
  text: string;
}

/** Without the check against the description: here it matters only who gets what. */
async function ask(
  { baseUrl }: Harness,
  method: "GET" | "POST",
  path: string,
  {
    bearer,
    basic,
    json,
    headers = {},
  }: { bearer?: string; basic?: [string, string]; json?: object; headers?: Record<string, string> },
): Promise<Reply> {
  const credentials = basic && `Basic ${Buffer.from(basic.join(":")).toString("base64")}`;
  const response = await request(baseUrl + base + path, {
    method,
    headers: {
      ...headers,
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(credentials !== undefined && { authorization: credentials }),
      ...(json && { "content-type": "application/json" }),
    },
    body: json ? JSON.stringify(json) : null,
  });
  return { status: response.statusCode, text: await response.body.text() };
}

interface Seen {
  what: string;
  text: string;
}

/** The parts that are gone through. */
export interface Journeys {
  /** With the sign-ins and codes that are open. */
  signsIn?: boolean;
  /** With tokens and secrets, an hour later, when polls are due. */
  waits?: boolean;
}

export interface Outcome {
  /** What each has gained by what was written to the database. */
  gains: string[];
  /** What both did that they may do. */
  done: string[];
}

/** Does what both parties can do: at once with their sign-ins and codes, and an hour later, when polls are due. */
export async function takeJourneys(
  stage: TwoTenants,
  harness: Harness,
  { signsIn = true, waits = true }: Journeys = {},
): Promise<Outcome> {
  const gains: string[] = [];
  const ofThief = signsIn ? await finishAsThief(stage, harness, gains) : [];
  const ofVictim = signsIn ? await finishAsVictim(stage, harness, gains) : [];
  if (waits) {
    data.people = 3;
    harness.clock.advance(3_600);
    await poll(harness);
    ofThief.push(...(await actAsThief(stage, harness, gains)));
    ofVictim.push(...(await readAll(harness, [stage.victim.connected.token])));
    await poll(harness);
  }
  const { thief, victim, nobody } = stage;
  gains.push(
    ...foreign(
      "the thief",
      [...ofThief, ...received(thief)],
      [
        ...["person", "company", "identity"].map((what) => canary("victim", what as "person")),
        canary("narrow", "person"),
      ],
    ),
    ...foreign(
      "the victim",
      [...ofVictim, ...received(victim)],
      [
        canary("thief", "person"),
        canary("thief", "company"),
        canary("thief", "identity"),
        canary("narrow", "person"),
      ],
    ),
    ...nobody.received.map(() => "an address that nobody has set was told of employees"),
  );
  const own = [
    ...describeOwn("the thief", [...ofThief, ...received(thief)], "thief"),
    ...describeOwn("the victim", [...ofVictim, ...received(victim)], "victim"),
  ];
  for (const receiver of [thief.receiver, victim.receiver, nobody]) receiver.reset();
  return { gains: [...new Set(gains)], done: [...new Set(own)].toSorted() };
}

function describeOwn(who: string, seen: readonly Seen[], owner: "thief" | "victim"): string[] {
  const own = [canary(owner, "person"), canary(owner, "company"), canary(owner, "identity")];
  return seen
    .filter(({ text }) => own.some((each) => text.includes(each)))
    .map(({ what }) => `${who}: ${what}`);
}

function foreign(who: string, seen: readonly Seen[], texts: readonly string[]): string[] {
  return seen.flatMap(({ what, text }) =>
    texts.filter((each) => text.includes(each)).map((each) => `${who} got ${each} by ${what}`),
  );
}

const received = ({ receiver }: Tenant): Seen[] => receiver.received.map(describeReceived);

const describeReceived = ({ path, bytes }: Received): Seen => ({
  what: `a webhook at ${path}`,
  text: bytes.toString(),
});

async function actAsThief(stage: TwoTenants, harness: Harness, gains: string[]): Promise<Seen[]> {
  const { thief, narrow, victim } = stage;
  const basic: [string, string] = [thief.client.client.clientId, thief.client.secret];
  const seen: Seen[] = [];
  const note = (what: string, reply: Reply): Reply => {
    seen.push({ what, text: reply.text });
    return reply;
  };
  seen.push(...(await readAll(harness, [thief.connected.token, narrow.token])));
  const narrowly = await ask(harness, "GET", employees, { bearer: narrow.token });
  if (narrowly.status < 400) gains.push("the thief reads employees with the narrow token");
  note("introspect", await ask(harness, "GET", `/management/introspect`, { bearer: narrow.token }));
  const lookAt = async (path: string): Promise<Reply> =>
    note(`GET ${path}`, await ask(harness, "GET", `/management/${path}`, { basic }));
  const deliveries = stage.deliveries.map((id) => `deliveries/${id}`);
  await Promise.all(["client", "tokens", "deliveries", ...deliveries].map(lookAt));
  for (const path of deliveries)
    note("replay", await ask(harness, "POST", `/management/${path}/replay`, { basic }));
  const json = { token: victim.connected.tokenId };
  const link = await ask(harness, "POST", `/management/connect-session`, { basic, json });
  if (link.status === 201) gains.push("the thief makes a link for the victim's token");
  const asVictim: [string, string] = [victim.client.client.clientId, stage.oldSecret];
  const old = await ask(harness, "GET", `/management/client`, { basic: asVictim });
  if (old.status === 200) gains.push("a secret that was replaced is accepted");
  const over = await ask(harness, "GET", employees, { bearer: stage.ended.token });
  if (over.status < 400) gains.push("a token that has ended is admitted");
  return seen;
}

/** With the thief's browser, which has sign-ins of its own. */
async function finishAsThief(
  stage: TwoTenants,
  harness: Harness,
  gains: string[],
): Promise<Seen[]> {
  const { thief, flows, codes } = stage;
  const visitor = visitAgain(harness, stage.browsers.thief);
  const seen: Seen[] = [];
  for (const [name, path] of Object.entries({
    "the victim's sign-in": `/connect/${flows.victim}`,
    "a sign-in": `/connect/${flows.thief}`,
    "a re-authentication": `/connect/${flows.reauthentication}`,
    accesses: `/connect/${flows.accesses}`,
  })) {
    const page = await visitor.open(path);
    seen.push({ what: `opening ${name}`, text: `${page.html} ${page.left ?? ""}` });
    const code = codeIn(page.left);
    if (code !== undefined && name === "the victim's sign-in")
      gains.push("the thief's browser got the code of the victim's sign-in");
    if (code !== undefined) seen.push(...(await exchange(thief, harness, { code, gains })));
  }
  for (const address of [thief.redirectUri, nobodysRedirectUri]) {
    const link = linkPath(stage.victim.client.client, { redirect_uri: address });
    if ((await visitor.open(link)).status < 400)
      gains.push("a link of the victim's leads to an address that the victim has not registered");
  }
  const unproved = await tryExchange(thief, harness, { code: codes.thief });
  if (unproved.status === 201) gains.push("a code is exchanged without its verifier");
  seen.push(...(await exchange(thief, harness, { code: codes.thief, gains })));
  return seen;
}

async function finishAsVictim(
  { victim, flows, browsers }: TwoTenants,
  harness: Harness,
  gains: string[],
): Promise<Seen[]> {
  const page = await visitAgain(harness, browsers.victim).open(`/connect/${flows.victim}`);
  if (page.left !== undefined && !page.left.startsWith(victim.redirectUri))
    gains.push(`the victim's browser is sent to ${new URL(page.left).origin}`);
  const code = codeIn(page.left);
  return code === undefined ? [] : await exchange(victim, harness, { code, gains, isWide: true });
}

/** All data of the tokens. Waits once for what is not there yet. */
async function readAll(
  harness: Harness,
  bearers: readonly string[],
): Promise<(Seen & { status: number })[]> {
  const wanted = bearers.flatMap((bearer) =>
    ["employees", "company", "identity"].map((path) => ({ path, bearer })),
  );
  const get = async ({ path, bearer }: (typeof wanted)[number]) => ({
    path,
    ...(await ask(harness, "GET", `/xhr/${path}`, { bearer })),
  });
  let replies = await Promise.all(wanted.map(get));
  if (replies.some(({ status }) => status === 202)) {
    await readDue(harness);
    replies = await Promise.all(wanted.map(get));
  }
  return replies.map(({ path, status, text }) => ({ what: `GET ${path}`, status, text }));
}

/** The scopes of a token are those of its link, whatever the exchange says. */
async function exchange(
  tenant: Tenant,
  harness: Harness,
  { code, gains, isWide = false }: { code: string; gains: string[]; isWide?: boolean },
): Promise<Seen[]> {
  const proved = await tryExchange(tenant, harness, { code, code_verifier: "a".repeat(43) });
  const plain = await tryExchange(tenant, harness, { code });
  const { access_token: bearer } = JSON.parse(proved.status === 201 ? proved.text : plain.text) as {
    access_token?: string;
  };
  if (bearer === undefined) return [];
  const replies = await readAll(harness, [bearer]);
  if (!isWide && replies.some(({ what, status }) => what === "GET employees" && status < 400))
    gains.push(`a code of ${tenant.owner} gives more than its link asked for`);
  return replies.map(({ what, text }) => ({ what: `${what} with the token of a code`, text }));
}

async function tryExchange(
  { client, redirectUri }: Tenant,
  harness: Harness,
  more: Record<string, string>,
): Promise<Reply> {
  return await ask(harness, "POST", `/management/token`, {
    json: {
      client_id: client.client.clientId,
      client_secret: client.secret,
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      ...more,
    },
  });
}

function codeIn(left: string | undefined): string | undefined {
  return left === undefined ? undefined : (new URL(left).searchParams.get("code") ?? undefined);
}

function visitAgain(harness: Harness, browser: ConnectVisitor): ConnectVisitor {
  const visitor = new ConnectVisitor(harness.baseUrl);
  for (const [name, value] of browser.cookies) visitor.cookies.set(name, value);
  return visitor;
}
