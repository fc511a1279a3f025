import { expect, test } from "vitest";
import { InvalidLink, readLink } from "../../src/connect/link.ts";
import { listOfferedProviders } from "../../src/connect/offered-providers.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";

// A provider says by itself that its data are invented. Its name does not matter.

const training = { ...sandbox, name: "training", title: "Training" };
const real = { ...sandbox, name: "real", title: "Real", isSimulated: false };
const registry = new ProviderRegistry([sandbox, odoo, training, real]);
const offered = (isSandbox: boolean): string[] =>
  listOfferedProviders(registry, { mode: "xhr", tags: [], isSandbox }).map(({ name }) => name);
const read = (provider: string, maySimulate = true) =>
  readLink(
    { scope: "/2023-03-01/xhr/employees", provider, sandbox: "true" },
    { client: { requirePkce: false }, registry, maySimulate },
  );

test("simulated providers are offered when the link asks for them, and alone", () => {
  expect(offered(true)).toEqual(["sandbox", "training"]);
  expect(offered(false)).toEqual(["odoo", "real"]);
});

test("a link with sandbox=true may name every simulated provider, and no other one", () => {
  expect(read("training").provider).toBe("training");
  expect(() => read("real")).toThrow(InvalidLink);
});

test("a client that may not simulate gets no simulated provider", () => {
  for (const provider of ["sandbox", "training"])
    expect(() => read(provider, false)).toThrow(/allow_sandbox/);
});

test("the registry knows who is simulated", () => {
  const names = ["sandbox", "training", "odoo", "real", "nobody"];
  expect(names.filter((name) => registry.isSimulated(name))).toEqual(["sandbox", "training"]);
});
