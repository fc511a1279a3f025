import { z } from "zod";
import { scopesOfMode, type Scope } from "../../src/model/index.ts";
import { sha256 } from "../../src/platform/crypto/index.ts";
import { defineProvider, type Session } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { ConnectVisitor, linkPath, workSignIns, type Seen } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { answers, Receiver } from "../support/receiver.ts";

const companyScope: Scope = "/2023-03-01/xhr/company";

/** The victim, the thief, and a connection of the thief's that covers the company alone. */
export type Owner = "victim" | "thief" | "narrow";

/** What every record of an owner's data holds. */
export const canary = (owner: Owner, what: "person" | "company" | "identity"): string =>
  `${owner}-${what}-canary`;

type Client = Awaited<ReturnType<Harness["createClient"]>>;
type Connected = Awaited<ReturnType<Harness["connect"]>>;

/** How many people each company has. */
export const data = { people: 2 };

const ownerOf = (session: Session): Owner =>
  z.enum(["victim", "thief", "narrow"]).parse(session["owner"]);

const provider = defineProvider({
  apiVersion: 1,
  name: "canaries",
  title: "Canaries",
  modes: {
    xhr: {
      form: z.object({
        username: formField({ title: "User name" }),
        password: formField({ title: "Password", isSecret: true }),
      }),
      accountOfSession: (session) => [ownerOf(session)],
      login: async (_context, { username }) => ({ session: { owner: username } }),
      check: async () => ({ unsupported: [] }),
      identity: async (_context, session) => ({
        name: canary(ownerOf(session), "identity"),
        email: "",
        phone_number: null,
      }),
      resources: {
        company: {
          fetch: async function* readCompany(_context, session) {
            yield [{ remote_id: "c", display_name: canary(ownerOf(session), "company") }];
          },
          map: (raw) => raw,
        },
        employees: {
          fetch: async function* readEmployees(_context, session) {
            yield Array.from({ length: data.people }, (_, index) => ({
              remote_id: `r${index}`,
              first_name: `Person ${index}`,
              last_name: canary(ownerOf(session), "person"),
            }));
          },
          map: (raw) => raw,
        },
      },
    },
  },
});

/** A sign-in chooses between two. */
export const canaries = new ProviderRegistry([
  sandbox,
  provider,
  defineProvider({ ...provider, name: "others", title: "Others" }),
]);

export interface Tenant {
  owner: Owner;
  client: Client;
  connected: Connected;
  receiver: Receiver;
  redirectUri: string;
}

export interface TwoTenants {
  harness: Harness;
  victim: Tenant;
  thief: Tenant;
  /** Covers the company alone. */
  narrow: Connected;
  /** Of the victim, and ended. */
  ended: Connected;
  /** A secret that the victim has replaced. */
  oldSecret: string;
  /** Nobody has set its address. */
  nobody: Receiver;
  browsers: { victim: ConnectVisitor; thief: ConnectVisitor };
  flows: { victim: string; thief: string; reauthentication: string; accesses: string };
  /** Codes that are not exchanged. The thief's covers the company alone and has a challenge. */
  codes: { victim: string; thief: string };
  /** One-time links that nobody has claimed. */
  links: { victim: string; thief: string };
  /** The ids of all deliveries. */
  deliveries: string[];
  /** All tables as they were at moments before. */
  earlier: Tables[];
}

/** By table, the rows. */
type Tables = Record<string, Record<string, unknown>[]>;

async function readTables(harness: Harness): Promise<Tables> {
  const [row] = await harness.database.query(
    `select json_object_agg(table_name, table_rows(table_name)) as tables from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  return row?.["tables"] as Tables;
}

async function createTenant(harness: Harness, owner: "victim" | "thief"): Promise<Tenant> {
  const receiver = await Receiver.start();
  const redirectUri = `https://${owner}.example.com/callback`;
  const client = await harness.services.clients.create({
    name: owner,
    redirectUris: [redirectUri],
  });
  const found = await harness.services.clients.update(client.client, {
    redirectUris: ["https://app.example.com/callback", redirectUri],
    webhookUri: `${receiver.url}/before`,
  });
  const current = { ...client, client: found };
  const connected = await connect(harness, current, owner, scopesOfMode("xhr"));
  return { owner, client: current, connected, receiver, redirectUri };
}

const connect = (
  harness: Harness,
  client: Client,
  owner: Owner,
  scopes: readonly Scope[],
): Promise<Connected> => {
  harness.clock.advance(1);
  return harness.connect({
    client,
    provider: "canaries",
    scopes,
    formValues: { username: owner, password: "x" },
  });
};

export async function createTwoTenants(): Promise<TwoTenants> {
  data.people = 2;
  const harness = await createHarness({ registry: canaries });
  await harness.database.query(
    `create function table_rows(name text) returns json language plpgsql as $$
     declare found json;
     begin
       execute format('select coalesce(json_agg(to_jsonb(t)), ''[]'') from %I t', name) into found;
       return found;
     end $$`,
  );
  const [victim, thief] = [
    await createTenant(harness, "victim"),
    await createTenant(harness, "thief"),
  ];
  const narrow = await connect(harness, thief.client, "narrow", [companyScope]);
  const ended = await connect(harness, victim.client, "victim", scopesOfMode("xhr"));
  const earlier = [await readTables(harness)];

  const oldSecret = victim.client.secret;
  for (const tenant of [victim, thief]) await changeClient(harness, tenant);
  await poll(harness);
  data.people = 4;
  harness.clock.advance(3_600);
  // The first attempts fail, so that what is pending is there to be led elsewhere.
  for (const { receiver } of [victim, thief]) receiver.answer = answers.status(500, {}, "a reply");
  await poll(harness);
  for (const { receiver } of [victim, thief]) receiver.reset();
  const deliveries = await harness.database.query("select id from deliveries");
  await harness.services.tokens.disconnectById(ended.tokenId);
  const signedIn = await signInEverybody(harness, { victim, thief }, earlier);
  return {
    harness,
    victim,
    thief,
    narrow,
    ended,
    oldSecret,
    nobody: await Receiver.start(),
    deliveries: deliveries.map(({ id }) => String(id)),
    ...signedIn,
    earlier,
  };
}

/** Another secret, another address. */
async function changeClient({ services }: Harness, tenant: Tenant): Promise<void> {
  const found = await services.clients.find(tenant.client.client.clientId);
  const { secrets, newSecret } = services.clients.rotateSecrets(found!);
  const client = await services.clients.update(found!, {
    secrets: secrets.slice(0, 1),
    redirectUris: [tenant.redirectUri],
    webhookUri: tenant.receiver.url,
  });
  tenant.client = { client, secret: newSecret };
}

/** Does the reads that are due. */
export async function readDue({ services }: Pick<Harness, "services">): Promise<void> {
  const reading = services.reads.work(16);
  await reading.work.drained();
  await reading.stop(1_000);
}

/** Does what is due: polls, their reads, and deliveries. */
export async function poll(harness: Pick<Harness, "services">): Promise<void> {
  const { services } = harness;
  await services.webhooks.schedulePolls();
  await readDue(harness);
  for (const { connectionId } of await pendingPolls(services))
    services.webhooks.polls.begin(connectionId);
  await services.webhooks.polls.drained();
  const { work } = services.webhooks.workOnDeliveries();
  await work.drained();
  await work.stop(1_000);
}

async function pendingPolls({ pool }: Harness["services"]): Promise<{ connectionId: string }[]> {
  const { rows } = await pool.query<{ connectionId: string }>(
    `select connection_id as "connectionId" from polls where state = 'pending'`,
  );
  return rows;
}

type SignedIn = Pick<TwoTenants, "browsers" | "flows" | "codes" | "links">;

async function signInEverybody(
  harness: Harness,
  { victim, thief }: { victim: Tenant; thief: Tenant },
  earlier: Tables[],
): Promise<SignedIn> {
  const work = workSignIns(harness);
  const browsers = {
    victim: new ConnectVisitor(harness.baseUrl),
    thief: new ConnectVisitor(harness.baseUrl),
  };
  const link = (tenant: Tenant, scope: string, more: Record<string, string> = {}): string =>
    linkPath(tenant.client.client, {
      redirect_uri: tenant.redirectUri,
      provider: undefined,
      scope,
      ...more,
    });
  const oneTimeLink = async (tenant: Tenant, json: object): Promise<string> => {
    const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
      basic: [tenant.client.client.clientId, tenant.client.secret],
      json,
    });
    return (body as { connect_url: string }).connect_url.replace("https://api.example.com", "");
  };
  const wide = scopesOfMode("xhr").join(" ");
  const begun = {
    victim: await browsers.victim.begin(link(victim, wide, { state: "s" })),
    thief: await browsers.thief.begin(link(thief, companyScope)),
    reauthentication: await browsers.thief.begin(
      await oneTimeLink(thief, { token: thief.connected.tokenId }),
    ),
    accesses: await openAccesses(browsers.thief),
  };
  earlier.push(await readTables(harness));
  const chosen = {
    ...begun,
    victim: await browsers.victim.send(begun.victim, "provider", { provider: "canaries" }),
    thief: await browsers.thief.send(begun.thief, "provider", { provider: "canaries" }),
  };
  earlier.push(await readTables(harness));
  const flows = {
    victim: await become(harness, browsers.victim, chosen.victim, "victim", "ready"),
    thief: await become(harness, browsers.thief, chosen.thief, "thief", "ready"),
    reauthentication: await become(
      harness,
      browsers.thief,
      chosen.reauthentication,
      "thief",
      "ready",
    ),
    accesses: await become(harness, browsers.thief, chosen.accesses, "thief", "ready"),
  };
  await browsers.thief.open(`/connect/${flows.accesses}`);
  const codes = {
    victim: await codeOf(browsers.victim, link(victim, wide), "victim"),
    thief: await codeOf(
      browsers.thief,
      link(thief, companyScope, {
        code_challenge: sha256("a".repeat(43)).toString("base64url"),
        code_challenge_method: "S256",
      }),
      "narrow",
    ),
  };
  const links = {
    victim: await oneTimeLink(victim, { token: victim.connected.tokenId }),
    thief: await oneTimeLink(thief, { scope: companyScope, redirect_uri: thief.redirectUri }),
  };
  await work.stop();
  return { browsers, flows, codes, links };
}

async function openAccesses(visitor: ConnectVisitor): Promise<Seen> {
  await visitor.open("/connect/accesses");
  const begun = await visitor.ask("POST", "/connect/accesses/sign-in", { choice: "canaries/xhr" });
  return await visitor.open(String(begun.headers["location"]));
}

/** Sends the form of a flow's page, and does not come back to be redirected. Returns the id of the flow. */
async function become(
  { database }: Harness,
  visitor: ConnectVisitor,
  page: Seen,
  owner: Owner,
  phase: string,
): Promise<string> {
  const id = /^\/connect\/([^/?]+)/.exec(page.path)?.[1] ?? "";
  const token = /name="form_token" value="([^"]*)"/.exec(page.html)?.[1] ?? "";
  const step = /name="step" value="([^"]*)"/.exec(page.html)?.[1] ?? "";
  await visitor.ask("POST", `/connect/${id}/sign-in`, {
    form_token: token,
    step,
    username: owner,
    password: "x",
  });
  for (;;) {
    const [row] = await database.query("select phase from connect_flows where id = $1", [id]);
    if (row?.["phase"] === phase) return id;
    if (row?.["phase"] !== "running") throw new Error(`the flow is ${String(row?.["phase"])}`);
  }
}

async function codeOf(visitor: ConnectVisitor, link: string, owner: Owner): Promise<string> {
  const begun = await visitor.begin(link);
  const chosen = await visitor.send(begun, "provider", { provider: "canaries" });
  const seen = await visitor.submit(chosen, { username: owner, password: "x" });
  return new URL(seen.left ?? "").searchParams.get("code") ?? "";
}
