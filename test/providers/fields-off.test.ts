import { describe, expect, test } from "vitest";
import { inTrial, Trial, type ReadRecord } from "../../src/conformance/trial.ts";
import { fieldsToSwitch, fieldsWithout, withoutFields } from "../../src/model/index.ts";
import { listCheckable } from "../../src/providers/find-checkable.ts";
import { checkedProviders } from "../support/built-in-conformances.ts";

const off = fieldsWithout(fieldsToSwitch);
/** Their requests name what they ask for. */
const naming = new Set(["bamboohr", "hibob", "odoo"]);

/** What stands nowhere else, as words, days and the phones of relatives do. */
function secretsOf(records: readonly ReadRecord[]): string[] {
  const found = records.flatMap(({ bank_account: bank, tax_id: tax }) => {
    const { iban, account_number: number } = (bank ?? {}) as ReadRecord;
    return [iban, number, tax];
  });
  return [...new Set(found)].filter((text) => typeof text === "string");
}

describe.each(checkedProviders)("$definition.name", ({ definition, conformances }) => {
  test("gives nothing of an employee that is switched off, and all the rest", async () => {
    const conformance = conformances[0]!;
    const system = await conformance.start("usual");
    const [subject] = listCheckable([definition], [conformance]);
    const trial = new Trial(subject!, system, AbortSignal.timeout(60_000));
    try {
      await trial.signIn();
      const whole = await trial.read("employees");
      const without = await trial.read("employees", { start: { fieldsOff: off } });
      const bare = [...off, "custom_fields"];
      expect(without.records.map((each) => withoutFields(each, bare))).toEqual(
        whole.records.map((each) => withoutFields(each, bare)),
      );
      expect(without.records.map((each) => off.map((field) => each[field]))).toEqual(
        without.records.map(() => off.map(() => null)),
      );
      const secrets = secretsOf(whole.records);
      const answered = trial.watch.answers.map(({ answer }) =>
        Buffer.from(answer.bytes).toString(),
      );
      const places = [without.text, ...(naming.has(definition.name) ? answered : [])];
      expect(
        secrets.filter((text) => places.some((place) => place.replaceAll(" ", "").includes(text))),
      ).toEqual([]);
    } finally {
      await trial.close();
      await system.close();
    }
  });
});

/** The parts of people that are asked for one by one. */
const partOfPerson = /\/Employees\/[^/]+\/(\w+)$/;

describe("a request that is for one field alone", () => {
  const { definition, conformances, abroad } = checkedProviders.find(
    (one) => one.definition.name === "xero",
  )!;
  const { nz } = abroad!;

  test.each([
    ["in Britain", [], conformances[0]!, ["PaymentMethods", "SalaryAndWages"]],
    ["in Britain", ["tax_id"], conformances[0]!, ["PaymentMethods", "SalaryAndWages"]],
    ["in Britain", ["bank_account"], conformances[0]!, ["SalaryAndWages"]],
    ["in New Zealand", [], nz!, ["PaymentMethods", "SalaryAndWages", "Tax"]],
    ["in New Zealand", ["tax_id"], nz!, ["PaymentMethods", "SalaryAndWages"]],
    ["in New Zealand", ["bank_account"], nz!, ["SalaryAndWages", "Tax"]],
    ["in New Zealand", ["bank_account", "tax_id"], nz!, ["SalaryAndWages"]],
  ] as const)(
    "is not made by Xero %s where %j are off",
    async (_, fieldsOff, conformance, expected) => {
      const [subject] = listCheckable([definition], [conformance]);
      await inTrial(subject!, "usual", AbortSignal.timeout(60_000), async (trial) => {
        await trial.signIn();
        await trial.read("employees", { start: { fieldsOff } });
        const asked = trial.watch.answers.flatMap(
          ({ request }) => partOfPerson.exec(new URL(request.url).pathname)?.[1] ?? [],
        );
        expect([...new Set(asked)].toSorted()).toEqual(expected);
      });
    },
  );
});
