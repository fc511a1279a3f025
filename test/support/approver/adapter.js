// A provider whose people approve on its own page. It runs as a package does, in a child process of the service.
/** @param {import("@rollcall/provider").Kit} kit */
const approver = (kit) => {
  const ask = async (context, { origin, accessToken }, path) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status, json } = await context.http(origin).request({ url: origin + path, headers });
    if (status === 401) throw new kit.AuthError("reauthentication_required");
    if (status !== 200) throw new kit.ProviderBug(`Approver answered with ${status}`);
    return json();
  };
  const requestSession = async (context, origin, grant, previous = {}) => {
    const tokenUrl = `${origin}/token`;
    const tokens = await kit.requestOAuth2Tokens(context, { tokenUrl, grant });
    const { accessToken, refreshToken = previous.refreshToken, expiresAt, idTokenClaims } = tokens;
    const person = idTokenClaims ?? previous.person;
    return { ...previous, origin, accessToken, refreshToken, expiresAt, person };
  };
  const signIn = {
    form: kit.z.object({
      address: kit.formField({ title: "Approver address", isAddress: true, autocomplete: "url" }),
    }),
    oauth2: {
      authorizationUrl: ({ address }) => {
        const origin = URL.parse(address)?.origin;
        if (!origin) throw new kit.FieldError("address", "This is no address.");
        return `${origin}/auth`;
      },
      scopes: (resources) => ["openid", "profile", "email", "offline_access", ...resources],
      parameters: { prompt: "login consent" },
    },
    login: async (context, { address }) => {
      const { origin } = new URL(address);
      const session = await requestSession(context, origin, context.authorization);
      const organisations = await ask(context, session, "/organisations");
      if (organisations.length === 1)
        return { session: { ...session, organisation: organisations[0].id } };
      const options = organisations.map(({ id, name }) => ({ value: id, title: name }));
      return { challenge: { kind: "choose", prompt: "Organisation", options, state: session } };
    },
    resume: async (_context, session, organisation) => ({ session: { ...session, organisation } }),
    account: ({ address }) => ({ origin: address, login: "" }),
    accountOfSession: ({ origin, organisation, person }) => [origin, organisation, person.sub],
    expiresAt: ({ expiresAt }) => new Date(expiresAt),
    refresh: async (context, session) =>
      await requestSession(
        context,
        session.origin,
        { refreshToken: session.refreshToken },
        session,
      ),
    logOut: async (context, { origin, refreshToken }) => {
      const { clientId, clientSecret } = context.application;
      await context.http(origin).request({
        method: "POST",
        url: `${origin}/token/revocation`,
        headers: {
          authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
        },
        form: { token: refreshToken },
      });
    },
    check: async (context, session) => {
      await ask(context, session, "/organisations");
      return { unsupported: [] };
    },
    identity: async (_context, { person }) => ({
      name: person.name,
      email: person.email,
      phone_number: null,
    }),
  };
  const resources = {
    employees: kit.defineReader({
      async *fetch(context) {
        yield await context.withSession((session) =>
          ask(context, session, `/people?organisation=${session.organisation}`),
        );
      },
      map: ({ id, first, last }) => ({ remote_id: id, first_name: first, last_name: last }),
    }),
  };
  return kit.defineProvider({
    apiVersion: 1,
    name: "approver",
    title: "Approver",
    modes: { xhr: { ...signIn, resources }, official: { ...signIn, resources } },
  });
};

// oxlint-disable-next-line import/no-default-export -- as every provider package has it
export default approver;
