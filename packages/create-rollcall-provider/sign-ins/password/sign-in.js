// @ts-check
/** The sign-in of a customer. The API of a vendor is `official`, which has no pay runs and no payslips. */
export const mode = "xhr";

/**
 * What is kept of a sign-in, and how a request proves itself by it.
 * @param {import("@rollcall/provider").Kit} kit
 */
export const defineSession = (kit) => ({
  session: kit.z.strictObject({
    user: kit.z.string(),
    // Kept because sessions of Acme end when nobody uses them, and only the password makes another one. Where the system
    // gives something else for that, keep that; where it gives nothing and you keep no password, leave out `refresh`.
    password: kit.z.string(),
    token: kit.z.string(),
    company: kit.z.string(),
  }),
  /** @param {{ token: string }} session */
  auth: ({ token }) => (token === "" ? {} : kit.auth.bearer(token)),
});

/**
 * What signs in, which has no token yet.
 * @param {{ user: string, password: string }} typed
 */
const begin = ({ user, password }) => ({ user, password, token: "", company: "" });

/**
 * Sends the password once. `client` decides what it means when it is refused.
 * @param {{ post(path: string, options: { json: unknown }): Promise<unknown> }} client
 * @param {ReturnType<typeof begin>} begun
 */
const open = async (client, begun) => {
  const { user, password } = begun;
  const answer = await client.post("/login", { json: { user, password } });
  const { token, company } = /** @type {any} */ (answer);
  return { ...begun, token: String(token), company: String(company.id) };
};

/**
 * How people sign in: with a password.
 * @param {import("@rollcall/provider").Kit} kit
 * @param {import("./system.js").System} system
 */
export const defineSignIn = (kit, { api }) => ({
  keepsSecret: true,
  form: kit.z.object({
    user: kit.formField({ title: "Acme user", autocomplete: "username" }),
    password: kit.formField({
      title: "Acme password",
      isSecret: true,
      autocomplete: "current-password",
    }),
  }),
  /** @type {import("@rollcall/provider").ProviderMode["login"]} */
  login: async (context, { user = "", password = "" }) => {
    const begun = begin({ user: user.trim(), password });
    const session = await open(api.atSignIn(context, begun), begun);
    const { previousSession: before } = context;
    if (before && api.parse(before).company !== session.company)
      throw new kit.FieldError("user", "This user is of another company than before.");
    return { session };
  },
  /**
   * A request that is refused makes a new session. Nobody knows when one ends that ends of disuse, so there is no
   * `expiresAt`. A password that is refused now has been changed: the person is asked again.
   * @type {NonNullable<import("@rollcall/provider").ProviderMode["refresh"]>}
   */
  refresh: async (context, session) =>
    await open(api.with(context, session), begin(api.parse(session))),
  /** @type {NonNullable<import("@rollcall/provider").ProviderMode["accountOfSession"]>} */
  accountOfSession: (session) => {
    const { company, user } = api.parse(session);
    return [company, user];
  },
});
