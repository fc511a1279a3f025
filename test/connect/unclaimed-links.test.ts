import { z } from "zod";
import { afterAll, beforeAll, expect, test } from "vitest";
import { de } from "../../src/connect/texts/de.ts";
import { defineProvider } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { ConnectVisitor, linkPath, textOf, workSignIns } from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, newestToken, type Harness } from "../support/harness.ts";

const choices = [
  { value: "eu", title: "Europe" },
  { value: "us", title: "America" },
];
const hosted = defineProvider({
  apiVersion: 1,
  name: "hosted",
  title: "Hosted HR",
  modes: {
    xhr: {
      form: z.object({
        site: formField({ title: "Site", isSetting: true }),
        region: formField({ title: "Region", isSetting: true, choices }),
        password: formField({ title: "Password", isSecret: true }),
      }),
      login: async () => ({ session: {} }),
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Ann", email: "ann@hosted.example", phone_number: null }),
      resources: {},
    },
  },
});

let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
let link: string;
beforeAll(async () => {
  harness = await createHarness({ registry: new ProviderRegistry([sandbox, hosted]) });
  owner = await harness.createClient();
  workSignIns(harness);
  const one = new ConnectVisitor(harness.baseUrl);
  const typed = { site: "site-of-ann", region: "us", password: "anything" };
  const { left = "" } = await one.submit(
    await one.open(linkPath(owner.client, { provider: "hosted" })),
    typed,
  );
  const code = new URL(left).searchParams.get("code") ?? "";
  const json = exchangeBody({ ...owner, code });
  await harness.http.post("/2023-03-01/management/token", { json });
  const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
    basic: [owner.client.clientId, owner.secret],
    json: { token: await newestToken(harness.services, owner.client) },
  });
  const { pathname, search } = new URL((body as { connect_url: string }).connect_url);
  link = pathname + search;
});
afterAll(() => harness.close());

test("a one-time link names no account before it is claimed: of what was set before only what everybody can choose", async () => {
  const scanner = await new ConnectVisitor(harness.baseUrl).open(link);
  expect(scanner.status).toBe(200);
  expect(scanner.html).toContain('<option value="us" selected>');
  for (const name of ["site-of-ann", "ann@hosted.example", "Ann"])
    expect(scanner.html).not.toContain(name);
});

test("the browser that claims it sees what was set before, in the language that it chose on the page", async () => {
  const visitor = new ConnectVisitor(harness.baseUrl);
  const page = await visitor.begin(`${link}&lang=de`);
  expect(page.path).toMatch(/^\/connect\/[0-9a-f-]{36}$/);
  expect(page.html).toContain('value="site-of-ann"');
  expect(textOf(page)).toContain(de.form.submit);
});
