// @ts-check
/** The API of the vendor. Pay runs and payslips are in `xhr` alone, the sign-in of a customer. */
export const mode = "official";

/**
 * What is kept of a sign-in, and how a request proves itself by it.
 * @param {import("@rollcall/provider").Kit} kit
 */
export const defineSession = (kit) => ({
  session: kit.z.strictObject({
    ...kit.tokenFields,
    company: kit.z.string(),
    user: kit.z.string(),
  }),
  /** @param {{ accessToken: string }} session */
  auth: ({ accessToken }) => kit.auth.bearer(accessToken),
});

/**
 * How people sign in: on the page of Acme, by OAuth 2.
 * @param {import("@rollcall/provider").Kit} kit
 * @param {import("./system.js").System} system
 */
export const defineSignIn = (kit, { api, readMe }) => {
  const approval = kit.oauth2({
    authorizationUrl: "https://acme.example/authorize",
    tokenUrl: "https://api.acme.example/token",
    scopes: {
      always: ["offline_access"],
      of: { employees: ["people.read"], groups: ["teams.read"] },
    },
  });
  return {
    ...approval.mode,
    form: kit.z.object({}),
    /** @type {import("@rollcall/provider").ProviderMode["login"]} */
    login: async (context) => {
      const { session: begun } = await approval.exchange(context, { company: "", user: "" });
      const { company, id } = await readMe(api.atSignIn(context, begun));
      const session = { ...begun, company: String(company.id), user: String(id) };
      const { previousSession: before } = context;
      if (before && api.parse(before).company !== session.company)
        throw new kit.FieldError("company", "You approved for another company than before.");
      return { session };
    },
    /** @type {NonNullable<import("@rollcall/provider").ProviderMode["accountOfSession"]>} */
    accountOfSession: (session) => {
      const { company, user } = api.parse(session);
      return [company, user];
    },
  };
};
