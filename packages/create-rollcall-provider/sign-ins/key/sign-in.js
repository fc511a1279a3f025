// @ts-check
/** The API of the vendor. Pay runs and payslips are in `xhr` alone, the sign-in of a customer. */
export const mode = "official";

/**
 * What is kept of a sign-in, and how a request proves itself by it.
 * @param {import("@rollcall/provider").Kit} kit
 */
export const defineSession = (kit) => ({
  session: kit.z.strictObject({ key: kit.z.string(), company: kit.z.string() }),
  /** @param {{ key: string }} session */
  auth: ({ key }) => kit.auth.bearer(key),
});

/**
 * How people sign in: with a key.
 * @param {import("@rollcall/provider").Kit} kit
 * @param {import("./system.js").System} system
 */
export const defineSignIn = (kit, { api, readMe }) => ({
  ...kit.signInByKey({
    api,
    form: kit.z.object({ key: kit.formField({ title: "Acme key", isSecret: true }) }),
    begin: ({ key = "" }) => ({ key: key.trim(), company: "" }),
    prove: async (client, session) => {
      const { company } = await readMe(client);
      return { ...session, company: String(company.id) };
    },
    company: {
      of: ({ company }) => company,
      field: "key",
      other: "This key is of another company than before.",
    },
  }),
  /** @type {NonNullable<import("@rollcall/provider").ProviderMode["accountOfSession"]>} */
  accountOfSession: (session) => [api.parse(session).company],
});
