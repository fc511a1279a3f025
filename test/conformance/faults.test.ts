import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { describeProvider, type Check } from "../../src/conformance/index.ts";
import type { Conformance } from "../../src/providers/conformance.ts";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import type { Kit, ProviderPackage } from "../../src/providers/kit.ts";
import { payday as definePayday } from "../support/payday/payday.ts";
import { payruns } from "../support/payday/payday-data.ts";
import { paydayConformance } from "../support/payday/payday-conformance.ts";
import { faults, type Fault } from "../support/payday/payday-faults.ts";
import { projectDir } from "../support/program-environment.ts";

// An adapter as a stranger writes it, and the same with one line wrong: the checks have to notice what is wrong.

// It is written with the types of a package, which are other declarations of the same.
const payday = definePayday as unknown as ProviderPackage;
const source = readFileSync(join(projectDir, "test/support/payday/payday.ts"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "rollcall-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The adapter with one line of another text. */
async function loadFaulty({ from, to }: Fault, index: number): Promise<ProviderPackage> {
  const [before, after, ...others] = source.split(from);
  if (after === undefined || others.length > 0)
    throw new Error(`${from} does not stand there once`);
  const file = join(folder, `payday-${index}.ts`);
  writeFileSync(file, `${before}${to}${after}`);
  const loaded = (await import(pathToFileURL(file).href)) as { payday: ProviderPackage };
  return loaded.payday;
}

function checksOf(provider: ProviderPackage, conformance = paydayConformance): Check[] {
  return describeProvider(provider, conformance).filter(({ leftOut }) => leftOut === undefined);
}

async function runCheck(
  name: string,
  provider: ProviderPackage,
  conformance?: Conformance,
): Promise<string | undefined> {
  return await checksOf(provider, conformance)
    .find((check) => check.name === name)!
    .run();
}

const numbered = faults.map((fault, index) => ({ ...fault, fault, index }));
const noticed = numbered.flatMap((one) =>
  "by" in one.noticed ? [{ ...one, ...one.noticed }] : [],
);
const unnoticed = numbered.flatMap((one) => ("not" in one.noticed ? [one] : []));

test.each(checksOf(payday))("the adapter without a fault: $name", async (check) => {
  await expect(check.run()).resolves.not.toThrow();
});

test.each(noticed)("$what: noticed by $by", async ({ fault, index, by, as }) => {
  await expect(runCheck(by, await loadFaulty(fault, index))).rejects.toThrow(as);
});

test.each(unnoticed)("$what: not noticed, because $noticed.not", async ({ fault, index }) => {
  for (const check of checksOf(await loadFaulty(fault, index)))
    await expect(check.run()).resolves.not.toThrow();
});

test("payslips of another pay run, which have no ids and the same amounts: noticed by payslips", async () => {
  const daysOf = new Map(
    payruns.map(({ id, from, to, paid }) => [
      String(id),
      { start_date: from, end_date: to, payment_date: paid },
    ]),
  );
  const mixed: ProviderPackage = (kit) => {
    const definition = [(payday as (given: Kit) => ProviderDefinition)(kit)].flat()[0]!;
    const { xhr } = definition.modes;
    const { payslips } = xhr!.resources;
    const resources = {
      ...xhr!.resources,
      payslips: kit.defineReader<"payslips", object>({
        fetch: (context, session) =>
          payslips!.fetch(context, session, { payrunRemoteId: "201" }) as AsyncGenerator<object[]>,
        map: (raw, context) => {
          const { payrunRemoteId } = context.parameters;
          const slip = payslips!.map(raw as never, context)!;
          return {
            ...slip,
            ...daysOf.get(payrunRemoteId),
            remote_id: null,
            payrun_remote_id: payrunRemoteId,
          };
        },
      }),
    };
    return { ...definition, modes: { xhr: { ...xhr!, resources } } };
  };
  await expect(runCheck("payslips", mixed)).rejects.toThrow(
    /payslips of pay run 202 have the amounts of those of 201, whose id the requests name/,
  );
});

/** Pay is asked for beside the people: where it is refused, they have none. */
function withPayBeside(limited: readonly string[]): ProviderPackage {
  return (kit) => {
    const definition = [(payday as (given: Kit) => ProviderDefinition)(kit)].flat()[0]!;
    const { xhr } = definition.modes;
    const reader = xhr!.resources.employees!;
    type Person = { salary?: object | undefined };
    const employees = kit.defineReader<"employees", Person>({
      async *fetch(context, session) {
        const readPeople = async (): Promise<Person[]> => {
          const people: Person[] = [];
          for await (const page of reader.fetch(context, session, {}))
            people.push(...(("records" in page ? page.records : page) as Person[]));
          return people;
        };
        const people = await readPeople();
        const paid = await kit.whereReadable(readPeople);
        if (!paid) context.limited(limited);
        yield people.map((person, index) => ({ ...person, salary: paid?.[index]?.salary }));
      },
      map: (raw, context) => reader.map(raw as never, context),
    });
    const resources = { ...xhr!.resources, employees };
    return { ...definition, modes: { xhr: { ...xhr!, resources } } };
  };
}

const ofPay = ["employments", "employment_history", "compensation_history"];

test.each([
  ["nothing", [], /with 403, and employments.* lost values without a word, .*`context.limited`/],
  ["other fields", ["work_email"], /employments/],
  ["some of them", ofPay.slice(0, 1), /and employment_history, compensation_history lost values/],
])(
  "pay that is refused, and %s told as limited: noticed by refused-requests",
  async (_what, limited, said) => {
    await expect(runCheck("refused-requests", withPayBeside(limited))).rejects.toThrow(said);
  },
);

test("pay that is refused, and told as limited, is borne by refused-requests", async () => {
  await expect(runCheck("refused-requests", withPayBeside(ofPay))).resolves.not.toThrow();
});

/** Employees are read once more where their read failed. */
function withSecondTry(missing: number): ProviderPackage {
  return (kit) => {
    const definition = [(payday as (given: Kit) => ProviderDefinition)(kit)].flat()[0]!;
    const { xhr } = definition.modes;
    const reader = xhr!.resources.employees!;
    const employees = kit.defineReader<"employees", object>({
      async *fetch(context, session) {
        const readPeople = async (): Promise<object[]> => {
          const people: object[] = [];
          for await (const page of reader.fetch(context, session, {}))
            people.push(...(("records" in page ? page.records : page) as object[]));
          return people;
        };
        const first = await readPeople().catch(() => undefined);
        const people = first ?? (await readPeople());
        yield first ? people : people.slice(missing);
      },
      map: (raw, context) => reader.map(raw as never, context),
    });
    const resources = { ...xhr!.resources, employees };
    return { ...definition, modes: { xhr: { ...xhr!, resources } } };
  };
}

test("an adapter that asks again after a failure is borne by broken-request", async () => {
  const check = runCheck("broken-request", withSecondTry(0));
  await expect(check).resolves.not.toThrow();
});

test("one that has less then is noticed by broken-request", async () => {
  await expect(runCheck("broken-request", withSecondTry(1))).rejects.toThrow(
    /request 1 of the \d of a read of employees failed with 503, and the read counts as complete/,
  );
});

/** What it logs of payslips are their taxes. */
const talkative: ProviderPackage = (kit) => {
  const definition = [(payday as (given: Kit) => ProviderDefinition)(kit)].flat()[0]!;
  const { xhr } = definition.modes;
  const reader = xhr!.resources.payslips!;
  const payslips = kit.defineReader<"payslips", object>({
    async *fetch(context, session, parameters) {
      for await (const page of reader.fetch(context, session, parameters)) {
        for (const raw of "records" in page ? page.records : page) {
          const { taxes } = reader.map(raw as never, {} as never)!;
          for (const { amount } of taxes ?? []) context.log.debug({ amount }, "a line");
        }
        yield page as never;
      }
    },
    map: (raw, context) => reader.map(raw as never, context),
  });
  const resources = { ...xhr!.resources, payslips };
  return { ...definition, modes: { xhr: { ...xhr!, resources } } };
};

test("a line of a payslip in the log is noticed by privacy", async () => {
  await expect(runCheck("privacy", talkative)).rejects.toThrow(
    /has taxes\.amount of payslips: log ids/,
  );
});

test("of 21 faults at least 19 are noticed", () => {
  expect(faults.length).toBeGreaterThanOrEqual(21);
  expect(noticed.length / faults.length).toBeGreaterThanOrEqual(19 / 21);
});

/** Beside a fake that says something else. */
function withFake(said: object): Conformance {
  return { start: async (scenario) => ({ ...(await paydayConformance.start(scenario)), ...said }) };
}

describe("a fake that does not say enough", () => {
  const silent = { expected: undefined, otherAccount: undefined, counts: undefined };

  test.each([
    ["money", /does not say what these are, .*: employments.pay_rate, .* gross_pay, net_pay/],
    ["times", /start_time, end_time, hours_worked of timesheets/],
    ["accounts", /`otherAccount` of the fake does not say what somebody else types/],
  ])("%s is refused for an adapter that declares it", async (name, said) => {
    const check = runCheck(name, payday, withFake(silent));
    await expect(check).rejects.toThrow(said);
  });

  test.each([
    ["values", "`expected` of the fake names no record"],
    ["whole-lists", "`counts` of the fake does not say how many records other lists have"],
  ])("%s is left out, with the reason", async (name, said) => {
    expect(await runCheck(name, payday, withFake(silent))).toBe(said);
  });

  test("what it does not say is named", async () => {
    expect(await runCheck("unsaid", payday)).toBe(
      "`expected` of the fake does not say what these are: policy_name of time-off-balances",
    );
  });

  test("a log-out is seen by the session that works no more", async () => {
    const conformance = withFake({ openSessions: undefined });
    await expect(runCheck("log-out", payday, conformance)).resolves.not.toThrow();
    const index = faults.findIndex(({ what }) => what === "a log-out that ends nothing");
    const faulty = await loadFaulty(faults[index]!, index);
    await expect(runCheck("log-out", faulty, conformance)).rejects.toThrow(
      /a read works with the session that `logOut` has ended/,
    );
  });
});
