import { createHmac, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { en } from "../../src/connect/texts/en.ts";
import type { Mode } from "../../src/model/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { builtInProviders } from "../support/built-in-providers.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import {
  carried,
  ConnectVisitor,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { exchangeBody, newestToken } from "../support/harness.ts";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import { OdooRpc } from "../support/odoo-rpc.ts";
import { Receiver, type PublicEmployee } from "../support/receiver.ts";
import { timeCode } from "../support/time-code.ts";
import { createWebhookHarness, whoIn, type WebhookHarness } from "../support/webhook-harness.ts";
import { formOf, url } from "./live-odoo.ts";

const scopes = (mode: Mode) =>
  ["company", "employees", "groups"].map((resource) => `/2023-03-01/${mode}/${resource}`);

type Application = Awaited<ReturnType<WebhookHarness["createClient"]>>;

let harness: WebhookHarness;
let receiver: Receiver;
let rpc: OdooRpc;

/** Sign-in pages, exchange, API, worker, polls and webhooks, with nothing made up but who listens. */
export function describeService(): void {
  describe("the service beside a real Odoo", () => {
    beforeAll(async () => {
      const registry = new ProviderRegistry(builtInProviders);
      harness = await createWebhookHarness({ registry, clock: systemClock });
      receiver = await Receiver.start();
      const administrator = await OdooAdministrator.at(url);
      ({ rpc } = administrator);
      await administrator.ensureLanguage("de_DE");
      await administrator.ensureAccount({ login: "german", language: "de_DE" });
    });
    afterAll(async () => {
      await receiver.close();
      await harness.close();
    });
    beforeEach(() => receiver.reset());

    it.each([
      ["xhr", "german"],
      ["official", "admin"],
    ] as const)(
      "tells of who comes, changes and goes in Odoo by signed webhooks: %s, %s",
      tellsOfChanges,
    );

    it(
      "lets in who types the code of the authenticator app, and not who types a wrong one",
      letsInByCode,
    );
  });
}

async function tellsOfChanges(mode: Mode, login: string): Promise<void> {
  const application = await harness.createClient();
  await harness.listen(application.client.clientId, receiver.url);
  const { visitor, form } = await openForm(application, mode);
  const token = await exchange(application, await visitor.submit(form, await typed(login, mode)));
  await poll(application);
  expect(receiver.received).toEqual([]);
  const before = await listEmployees(mode, token);

  const id = await rpc.create("hr.employee", { name: "Ada Möller", sex: "female" });
  try {
    await poll(application);
    const added = takeSigned(application);
    expect(whoIn(added)).toEqual({ added: [String(id)], removed: [], updated: [] });
    expect(added.body.added[0]).toMatchObject({
      first_name: "Ada",
      last_name: "Möller",
      gender: "female",
      employment_status: "active",
    });

    await rpc.call("hr.employee", "write", [[id], { mobile_phone: "+32 470 00 00 01" }]);
    await poll(application);
    const updated = takeSigned(application);
    expect(whoIn(updated)).toEqual({ added: [], removed: [], updated: [String(id)] });
    expect(updated.body.updated[0]).toMatchObject({ mobile_phone_number: "+32 470 00 00 01" });

    await poll(application);
    expect(receiver.received).toEqual([]);
    const during = await listEmployees(mode, token);
    expect(during.find(({ remote_id: remoteId }) => remoteId === String(id))).toEqual(
      updated.body.updated[0],
    );
  } finally {
    await rpc.call("hr.employee", "unlink", [[id]]);
  }
  await poll(application);
  expect(whoIn(takeSigned(application))).toEqual({ added: [], removed: [String(id)], updated: [] });
  expect(await listEmployees(mode, token)).toEqual(before);
}

async function letsInByCode(): Promise<void> {
  const login = `second-factor-${randomUUID()}`;
  const administrator = new OdooAdministrator(rpc);
  const account = await administrator.ensureAccount({ login, groups: ["hr.group_hr_manager"] });
  try {
    const own = await new OdooRpc(url).signIn(login, `${login}-pass`);
    const since = systemClock.now();
    const secret = await own.enableSecondFactor(`${login}-pass`, since);
    const application = await harness.createClient();
    const { visitor, form } = await openForm(application, "xhr");
    const asked = await visitor.submit(form, await typed(login, "xhr"));
    expect(textOf(asked)).toContain("Code from your authenticator app");
    // Odoo takes no code twice, and the next one already.
    const wrong = await visitor.answer(asked, timeCode(secret, since));
    expect(textOf(wrong)).toContain(en.refusals.incorrect_mfa_or_otp);
    const signedIn = await visitor.answer(wrong, timeCode(secret, since, 1));
    const token = await exchange(application, signedIn);
    expect((await listEmployees("xhr", token)).length).toBeGreaterThan(20);
  } finally {
    await rpc.call("res.users", "write", [[account], { active: false }]);
  }
}

async function openForm(
  { client }: Application,
  mode: Mode,
): Promise<{ visitor: ConnectVisitor; form: Seen }> {
  workSignIns(harness);
  const visitor = new ConnectVisitor(harness.baseUrl);
  const link = { provider: "odoo", mode, scope: scopes(mode).join(" ") };
  return { visitor, form: await visitor.open(linkPath(client, link)) };
}

async function typed(login: string, mode: Mode): Promise<Record<string, string>> {
  return { url, timesheets: "attendances", ...(await formOf(login, mode)) };
}

/** The access token for the code with which the last page of a sign-in leads back. */
async function exchange(application: Application, page: Seen): Promise<string> {
  const { code = "" } = Object.fromEntries(carried(page));
  const reply = await harness.http.post("/2023-03-01/management/token", {
    json: exchangeBody({ ...application, code }),
  });
  expect(reply.status).toBe(201);
  return (reply.body as { access_token: string }).access_token;
}

/** As `rollcall poll` does, until all that it leads to is done. */
async function poll({ client }: Application): Promise<void> {
  await harness.services.webhooks.pollNow(await newestToken(harness.services, client));
  await harness.settle();
}

/** All of them, after a read of the provider. Each reply is held against the published description. */
async function listEmployees(mode: Mode, bearer: string): Promise<PublicEmployee[]> {
  const path = `/2023-03-01/${mode}/employees`;
  const headers = { "cache-control": "no-cache" };
  if ((await harness.http.get(path, { bearer, headers })).status === 202) await harness.drain();
  const reply = await harness.http.get(path, { bearer });
  expect(reply.status).toBe(200);
  return reply.body as PublicEmployee[];
}

/** The one webhook that arrived since the last look, if the application's secret signed it. */
function takeSigned({ secret }: Application) {
  expect(receiver.received).toHaveLength(1);
  const { last } = receiver;
  receiver.reset();
  const mac = createHmac("sha256", secret).update(last.bytes).digest("hex");
  expect(last.headers["x-service-api-signature"]).toBe(mac);
  const key = `whsec_${Buffer.from(secret).toString("base64")}`;
  const headers = last.headers as Record<string, string>;
  expect(new Webhook(key).verify(last.bytes.toString(), headers)).toEqual(last.body);
  return last;
}
