import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ProviderRequest } from "../../../src/platform/outbound/index.ts";
import type { SignInContext } from "../../../src/providers/contract.ts";
import { formField } from "../../../src/providers/form-field.ts";
import { signInByKey } from "../../../src/providers/kit/key-sign-in.ts";
import { auth, rest } from "../../../src/providers/kit/rest.ts";

const api = rest({
  session: z.strictObject({ key: z.string(), user: z.string(), company: z.string() }),
  origin: "https://acme.example",
  auth: ({ key }) => auth.bearer(key),
});

const companies = { none: "It reaches none.", other: "It reaches another one." };

/** A key that names its company, or one of several that the person chooses from. */
const signInTo = (reached?: Readonly<Record<string, string>>) =>
  signInByKey({
    api,
    form: z.object({
      company: formField({ title: "Company" }).optional(),
      key: formField({ title: "Key" }),
    }),
    begin: ({ key = "", company = "" }) => ({ key: key.trim(), user: "", company }),
    prove: async (client, begun) => ({
      ...begun,
      user: String(await client.get("/me")),
      company: begun.company || (reached ? "" : "acme"),
    }),
    company: {
      of: ({ company }) => company,
      field: "company",
      other: companies.other,
      ...(reached && {
        choice: {
          prompt: "Which one?",
          list: async () => new Map(Object.entries(reached).map(([id, title]) => [id, { title }])),
          take: (session: object, company: string) => ({ key: "", user: "", ...session, company }),
          none: companies.none,
        },
      }),
    },
  });

/** Of a system that knows the key `good`, beside the session of an earlier sign-in to this company. */
function stage(before?: string) {
  const asked: unknown[] = [];
  const http = () => ({
    request: async ({ headers }: ProviderRequest) => {
      asked.push(headers?.["authorization"]);
      return {
        status: headers?.["authorization"] === "Bearer good" ? 200 : 401,
        headers: { "content-type": "application/json" },
        bytes: Buffer.from("7"),
        json: () => 7,
      };
    },
  });
  const previousSession =
    before === undefined ? {} : { previousSession: { key: "old", user: "7", company: before } };
  return { asked, context: { http, ...previousSession } as unknown as SignInContext };
}

const session = (company: string) => ({ key: "good", user: "7", company });

describe("a sign-in by key", () => {
  test("keeps what the key says of itself", async () => {
    const { login, resume, keepsSecret } = signInTo();
    expect(await login(stage().context, { key: " good ", company: "acme" })).toEqual({
      session: session("acme"),
    });
    expect({ resume, keepsSecret }).toEqual({ resume: undefined, keepsSecret: true });
  });

  test("with a wrong key is refused", async () => {
    const signIn = signInTo().login(stage().context, { key: "bad" });
    await expect(signIn).rejects.toMatchObject({ code: "incorrect_username_or_password" });
  });

  test("again stays with its company, and shows another one no key", async () => {
    const { asked, context } = stage("acme");
    const signIn = signInTo().login(context, { key: "good", company: "other" });
    await expect(signIn).rejects.toMatchObject({ field: "company", explanation: companies.other });
    expect(asked).toEqual([]);
    const again = await signInTo().login(context, { key: "good", company: "acme" });
    expect(again).toEqual({ session: session("acme") });
  });

  test.each([
    ["acme", { session: session("acme") }],
    ["other", { explanation: companies.other }],
  ])("that names its company itself is compared with %s", async (before, expected) => {
    const signIn = signInTo().login(stage(before).context, { key: "good" });
    expect(await signIn.catch((error: unknown) => error)).toMatchObject(expected);
  });
});

describe("a key that reaches companies", () => {
  const two = { a: "Acme", b: "Berg" };

  test.each([
    ["the only one", { a: "Acme" }, undefined, "a"],
    ["the one that was connected before", two, "b", "b"],
  ])("is that of %s without a question", async (_name, reached, before, company) => {
    const result = await signInTo(reached).login(stage(before).context, { key: "good" });
    expect(result).toEqual({ session: session(company) });
  });

  test.each([
    ["none", {}, undefined, companies.none],
    ["none, where one was connected before", {}, "a", companies.none],
    ["not the one that was connected before", two, "c", companies.other],
  ])("but %s, is refused", async (_name, reached, before, explanation) => {
    const signIn = signInTo(reached).login(stage(before).context, { key: "good" });
    await expect(signIn).rejects.toMatchObject({ field: "company", explanation });
  });

  test("of several asks which, and takes nothing else for an answer", async () => {
    const { login, resume } = signInTo(two);
    const { context } = stage();
    const state = session("");
    expect(await login(context, { key: "good" })).toEqual({
      challenge: {
        kind: "choose",
        prompt: "Which one?",
        options: [
          { value: "a", title: "Acme" },
          { value: "b", title: "Berg" },
        ],
        state,
      },
    });
    expect(await resume?.(context, state, "b")).toEqual({ session: session("b") });
    await expect(resume?.(context, state, "c")).rejects.toMatchObject({
      code: "incorrect_mfa_or_otp",
    });
  });
});
