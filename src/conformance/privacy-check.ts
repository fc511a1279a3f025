import type { Resource } from "../model/index.ts";
import type { Scenario } from "../providers/index.ts";
import type { CheckDefinition } from "./check.ts";
import { attempt, expectThat } from "./expect-failure.ts";
import { breakRequests } from "./interfere.ts";
import { listSecrets } from "./secret-values.ts";
import type { Saying } from "./sayings.ts";
import { type CheckContext, inTrial, type ReadRecord, type Trial } from "./trial.ts";

/** A shorter value may be a word of the adapter's own. */
const leastLength = 6;
const plainWord = /^[a-z]+$/;
const personal =
  /^(?:first_name|last_name|display_full_name|work_email|personal_email|mobile_phone_number|tax_id|date_of_birth|home_location\.street_address|bank_account\.(?:iban|account_number|holder_name)|dependents\.name|emergency_contacts\.(?:first_name|last_name|mobile_phone_number)|manager\.(?:first_name|last_name|work_email)|employee_note|employments\.pay_rate|compensation_history\.pay_rate|gross_pay|net_pay|(?:earnings|deductions|taxes|reimbursements|contributions)\.amount)$/;
/** Here an adapter has something to say. */
const scenarios: readonly Scenario[] = ["wrong-password", "missing-rights", "server-error"];

interface Private {
  what: string;
  value: string;
}

export const privacyCheck: CheckDefinition = {
  name: "privacy",
  title: "no secret and no value of a person is in the log, an error or a question",
  scenario: "usual",
  look: async (usual, context) => {
    const broken = await breakRequests(context);
    const values = [usual, broken].flatMap((seen) => [
      ...secretsOf(seen, context),
      ...privateTexts(seen.signedIn.session, "the session"),
      ...privateTexts(seen.signedIn.identity, "who signed in"),
    ]);
    for (const [resource, reads] of usual.reads)
      for (const { records } of reads) values.push(...listPrivate(resource, records));
    for (const { resource, records } of broken.reads)
      values.push(...listPrivate(resource, records));
    expectSilence([...usual.sayings, ...broken.sayings], values);
    for (const scenario of scenarios) {
      if (context.subject.conformance.leavesOut?.[scenario] !== undefined) continue;
      await inTrial(context.subject, scenario, context.signal, async (other) => {
        await attempt(() => readAll(other));
        expectSilence(other.sayings.all, [...secretsOf(other, context), ...values]);
      });
    }
  },
};

async function readAll(trial: Trial): Promise<void> {
  await trial.signIn();
  for (const resource of trial.resources) await attempt(() => trial.read(resource));
}

function secretsOf({ fake }: Pick<Trial, "fake">, { subject }: CheckContext): Private[] {
  return listSecrets(subject, fake.formValues).map(({ name, value }) => ({
    what: `the form's ${name}`,
    value,
  }));
}

function listPrivate(resource: Resource, records: readonly ReadRecord[]): Private[] {
  return records
    .flatMap((record) => textsOf(record, ""))
    .filter(({ what, value }) => personal.test(what) && value.length >= leastLength)
    .map(({ what, value }) => ({ what: `${what} of ${resource}`, value }));
}

/** As the service hides them: addresses and times are none, nor is a plain word, such as the kind of an account. */
function privateTexts(of: object, where: string): Private[] {
  return textsOf(of as ReadRecord, "")
    .filter(
      ({ value }) =>
        value.length >= leastLength &&
        !plainWord.test(value) &&
        !URL.canParse(value) &&
        Number.isNaN(Date.parse(value)),
    )
    .map(({ what, value }) => ({ what: `${what} of ${where}`, value }));
}

function textsOf(value: unknown, path: string): Private[] {
  if (typeof value === "string") return [{ what: path, value }];
  if (typeof value === "number") return [{ what: path, value: String(value) }];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, path));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

function expectSilence(sayings: readonly Saying[], values: readonly Private[]): void {
  for (const { where, text } of sayings) {
    const told = values.find(({ value }) => isTold(text, value));
    expectThat(
      told === undefined,
      `${where} has ${told?.what}: log ids, counts and enumerated words alone, and quote no answer in an error`,
    );
  }
}

/** A short one counts as a word of its own alone. */
function isTold(text: string, value: string): boolean {
  if (value === "") return false;
  if (value.length >= leastLength) return text.includes(value);
  return text.split(/[^\p{L}\p{N}]+/u).includes(value);
}
