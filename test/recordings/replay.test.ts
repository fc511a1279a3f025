import { describe, expect, test } from "vitest";
import { describeProvider } from "../../src/conformance/index.ts";
import { builtInProviders } from "../support/built-in-providers.ts";
import type { ProviderContext, ProviderMode } from "../../src/providers/contract.ts";
import { kit } from "../../src/providers/kit.ts";
import { recordings, replay, type Recording } from "../../src/recordings/index.ts";

// A system whose people have a `ref`, and which refuses an ended session with 403 and a code of its own.

const origin = "https://acme.example";
const { text } = kit.read;
const person = kit.defineSource({ ref: text, name: { family: text, given: text }, mail: text });
const table = kit.defineFields("employees", person, {
  remote_id: "ref",
  last_name: "name.family",
  first_name: "name.given",
  work_email: "mail",
});

async function ask(context: ProviderContext, path: string, method: "GET" | "POST" = "GET") {
  const answer = await context.http(origin).request({ url: origin + path, method });
  if (answer.status === 403 && answer.text().includes("IDLE"))
    throw new kit.AuthError("reauthentication_required");
  if (answer.status !== 200) throw new kit.ProviderBug(`answered with ${answer.status}`);
  return answer.json() as { items: object[] };
}

const signIn = async (context: ProviderContext) => {
  await ask(context, "/login", "POST");
  return { ticket: "t" };
};
const employees = kit.defineReader<"employees", object>({
  async *fetch(context) {
    for (const page of [1, 2])
      yield (await context.withSession(() => ask(context, `/people/${page}`))).items;
  },
  table,
});
const xhr: ProviderMode = {
  form: kit.z.object({}),
  login: async (context) => ({ session: await signIn(context) }),
  refresh: signIn,
  check: async () => ({ unsupported: [] }),
  identity: async () => ({ name: "Ada", email: "ada@acme.example", phone_number: null }),
  resources: { employees },
};
const definition = kit.defineProvider({
  apiVersion: 1,
  name: "acme",
  title: "Acme",
  modes: { xhr },
});

const json = { "content-type": "application/json" };
const answered = (path: string, body: object, status = 200): Recording["signIn"][number] => ({
  method: path === "/login" ? "POST" : "GET",
  path,
  query: [],
  sent: null,
  status,
  headers: json,
  body: JSON.stringify(body),
});
const people = (page: number) =>
  answered(`/people/${page}`, {
    items: [{ ref: `P${page}`, name: { family: "Berg", given: "Anna" }, mail: "a@acme.example" }],
  });
const idle = answered("/people/1", { code: "IDLE" }, 403);

function recordingOf(exchanges: Recording["signIn"]): Recording {
  return {
    format: 1,
    provider: "acme",
    mode: "xhr",
    today: "2026-03-02",
    formValues: {},
    addressFields: [],
    answers: [],
    signIn: [answered("/login", {})],
    steps: [{ resource: "employees", pages: 2, records: 2, exchanges }],
  };
}

function findCheck(name: string, exchanges = [people(1), people(2)], provider = definition) {
  const conformance = replay.conformanceOf(recordingOf(exchanges), {
    onMissing: () => undefined,
    modeOf: () => provider.modes.xhr,
  });
  return describeProvider(provider, conformance).find((check) => check.name === name)!;
}

describe("a recording as a fake", () => {
  test("knows by the table what everybody has: an id of another name, and the last name", async () => {
    await expect(findCheck("nulls").run()).resolves.toBeUndefined();
  });

  test("refuses an ended session as it was seen to, and says so", async () => {
    const seen = findCheck("dead-session", [idle, people(1), people(2)]);
    expect(seen.title).toMatch(/ \(played with the 403 that was recorded\)$/);
    await expect(seen.run()).resolves.toBeUndefined();
    const unseen = findCheck("dead-session");
    expect(unseen.title).toMatch(/ \(played with 401, because no refusal was recorded\)$/);
    await expect(unseen.run()).rejects.toThrow("answered with 401");
  });

  test.each(["expired-session", "expired-between-pages"])(
    "plays %s: it answers again when somebody has signed in again",
    async (name) => {
      await expect(findCheck(name, [idle, people(1), people(2)]).run()).resolves.toBeUndefined();
      const forgetful = { ...xhr, refresh: async () => ({ ticket: "t" }) };
      const broken = kit.defineProvider({ ...definition, modes: { xhr: forgetful } });
      await expect(findCheck(name, [idle, people(1), people(2)], broken).run()).rejects.toThrow(
        /reauthentication_required/,
      );
    },
  );

  test("cannot tell by which request another one makes a session", async () => {
    const elsewhere = {
      ...xhr,
      refresh: async (context: ProviderContext) => {
        await ask(context, "/renew", "POST");
        return { ticket: "t" };
      },
    };
    const provider = kit.defineProvider({ ...definition, modes: { xhr: elsewhere } });
    expect(await findCheck("expired-session", [idle, people(1), people(2)], provider).run()).toBe(
      "the recording has no answer to POST /renew",
    );
  });
});

test.each([
  ["gusto", "a token endpoint refuses JSON as RFC 6749 says", "dead-session"],
  ["staffology", "what is asked for instead was not recorded", "refused-requests"],
])("beside the recording of %s, %s", async (provider, _what, name) => {
  const definition = builtInProviders.find((one) => one.name === provider)!;
  for (const recording of recordings.findBuiltIn(provider)) {
    const conformance = replay.conformanceOf(recording, { onMissing: () => undefined });
    const check = describeProvider(definition, conformance).find((one) => one.name === name);
    await expect(check?.run()).resolves.toBeUndefined();
  }
});
