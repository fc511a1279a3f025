import { expect, test } from "vitest";
import { resources, type Resource } from "../../src/model/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { FetchParameters, ProviderDefinition } from "../../src/providers/contract.ts";
import { ProviderHost } from "../../src/providers/provider-host.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import marker from "../support/marker-provider.ts";
import { TestClock } from "../support/test-clock.ts";

const range = { start: "2026-03-01", end: "2026-03-31" };
const payrunRemoteId = "run-1";
const dated = ["payruns", "timesheets", "time-off-entries"];

/** What the adapter gets for its `fetch`, and for its `map`. */
async function passOn(resource: Resource, parameters: FetchParameters): Promise<unknown[]> {
  const given: unknown[] = [];
  const reader = {
    async *fetch(_context: unknown, _session: unknown, asked: unknown) {
      given.push(asked);
      yield [{}];
    },
    map: (_raw: unknown, context: { parameters: unknown }) => {
      given.push(context.parameters);
      return null;
    },
  };
  const definition: ProviderDefinition = {
    ...marker,
    modes: { xhr: { ...marker.modes.xhr!, resources: { [resource]: reader } } },
  };
  const agent = createGuardedAgent({ policy: new AddressPolicy([]) });
  const host = new ProviderHost({
    registry: new ProviderRegistry([definition]),
    agentOf: () => agent,
    clock: new TestClock(),
    random: systemRandom,
    log: createLog({ level: "silent" }),
  });
  try {
    for await (const { raw, map } of host.read({
      provider: marker.name,
      mode: "xhr",
      resource,
      session: {},
      parameters,
      signal: new AbortController().signal,
      onSession: () => undefined,
    }))
      raw.forEach(map);
    return given;
  } finally {
    await agent.destroy();
  }
}

test.each(resources)("a read of %s gets what it is asked for by, and nothing else", async (one) => {
  const expected = {
    ...(dated.includes(one) && { range }),
    ...(one === "payslips" && { payrunRemoteId }),
  };
  expect(await passOn(one, { range, payrunRemoteId } as never)).toEqual([expected, expected]);
});

test.each([...dated, "payslips"] as Resource[])("no adapter is asked for all %s", async (one) => {
  const missing = one === "payslips" ? "payrunRemoteId" : "range";
  await expect(passOn(one, {})).rejects.toThrow(`${one} is asked for without its ${missing}`);
});
