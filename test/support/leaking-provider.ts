import { z } from "zod";
import {
  defineProvider,
  defineReader,
  type ProviderContext,
  type ProviderMode,
} from "../../src/providers/contract.ts";
import { FieldError, ProviderBug } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { requestOAuth2Tokens } from "../../src/providers/request-oauth2-tokens.ts";
import { writeCarelessly } from "./careless-writing.ts";

/**
 * A provider that writes each secret that it gets into everything that leaves its process but records: log lines,
 * errors, explanations, questions. A service finds it by `PROVIDERS`. The user name says where it writes.
 */
export const leaked = {
  password: 'Pä"ss/w0rd +&=% of ann',
  code: "c0de-of-the-page/1+2",
  answer: "an answer/of äñn",
  state: "ticket+of/the=challenge",
  token: "tok/en+of=the session",
  cookie: "cookie~of~the~server",
  savedToken: "saved+token/of the session",
  renewedToken: "renewed+token/of the session",
  accessToken: "access+token/from the endpoint",
  refreshToken: "refresh+token/from the endpoint",
};

const later = 50;

/** Into the log: of the call, with an error, after the call, and by an error that nobody handles. */
function log(context: ProviderContext, secret: string): void {
  for (const writing of writeCarelessly(secret)) {
    context.log.warn({ writing, inside: { list: [writing], [writing]: 1 } }, `note: ${writing}`);
    context.log.warn({ err: failureOf(writing) }, "an error");
    setTimeout(() => context.log.warn({ writing }, `late: ${writing}`), later);
  }
  void Promise.reject(failureOf(secret));
}

function failureOf(writing: string): Error {
  const failure = Object.assign(new Error(writing), {
    name: writing.replace(/\W/g, ""),
    code: writing.toUpperCase().replace(/\W/g, "_").slice(0, 40),
  });
  failure.stack = `${failure.stack ?? ""}\n    at ${writing} (file:///leak.js:1:1)`;
  return failure;
}

function fail(secret: string, message: (writing: string) => Error = failureOf): never {
  throw message(writeCarelessly(secret).join(" and "));
}

const secretsOf = (session: object): string[] => Object.values(session).map(String);

const form = z.object({
  username: formField({ title: "User name" }),
  password: formField(
    { title: "Password", isSecret: true },
    z.string().refine((value) => !value.startsWith("refused "), {
      error: ({ input }) => writeCarelessly(String(input)).join(" and "),
    }),
  ),
});

const session = { token: leaked.token, expires: "2030-01-01" };

const xhr: ProviderMode = {
  form,
  login: async (context, { username = "", password = "" }) => {
    log(context, password);
    if (username === "field")
      fail(password, (text) => new FieldError("password", `It is not ${text}`));
    if (username === "name") fail(password, (text) => new FieldError(text, "It is wrong"));
    if (username === "bug") fail(password, (text) => new ProviderBug(text));
    if (username === "crash") fail(password);
    if (username === "asks")
      return {
        challenge: {
          kind: "choose",
          prompt: writeCarelessly(password).join(" and "),
          options: writeCarelessly(password).map((title, value) => ({ value: `${value}`, title })),
          state: { ticket: leaked.state },
        },
      };
    return { session };
  },
  resume: async (context, { ticket }, answer) => {
    log(context, String(ticket));
    return answer === "0"
      ? {
          challenge: {
            kind: "otp",
            prompt: writeCarelessly(String(ticket)).join(" and "),
            state: { ticket },
          },
        }
      : fail(answer, (text) => new FieldError("password", text));
  },
  check: async (context, given) => {
    for (const secret of secretsOf(given)) log(context, secret);
    context.saveSession({ ...given, saved: leaked.savedToken });
    log(context, leaked.savedToken);
    return { unsupported: [] };
  },
  identity: async () => ({ name: "Ann", email: "ann@leaking.example", phone_number: null }),
  refresh: async (context, given) => {
    for (const secret of secretsOf(given)) log(context, secret);
    return { ...session, token: leaked.renewedToken };
  },
  resources: {
    employees: defineReader<"employees", { id: string; secrets: readonly string[] }>({
      async *fetch(context, given) {
        for (const secret of secretsOf(given)) log(context, secret);
        await new Promise((resolve) => setTimeout(resolve, later * 2));
        yield [{ id: "1", secrets: secretsOf(given) }];
      },
      map: ({ id, secrets }) => ({
        remote_id: id,
        first_name: "Ann",
        // A record is what it is.
        last_name: secrets[0] ?? "",
        [leaked.cookie.replaceAll("~", "_")]: 1,
      }),
    }),
    groups: defineReader<"groups", never>({
      // oxlint-disable-next-line require-yield
      async *fetch(_context, given) {
        fail(secretsOf(given).join(" "));
      },
      map: () => null,
    }),
  },
};

const official: ProviderMode = {
  form: z.object({ origin: formField({ title: "Address" }) }),
  oauth2: { authorizationUrl: () => "https://leaking.example/", scopes: () => [] },
  login: async (context, { origin = "" }) => {
    const { authorization: grant, application } = context;
    if (!grant || !application) throw new ProviderBug("there is no grant");
    for (const secret of [grant.code, grant.codeVerifier, application.clientSecret])
      log(context, secret);
    const tokenUrl = `${origin}/token`;
    const tokens = await requestOAuth2Tokens(context, { tokenUrl, grant });
    for (const token of [tokens.accessToken, tokens.refreshToken ?? ""]) log(context, token);
    const http = context.http(origin);
    await http.request({ url: `${origin}/cookie` });
    log(context, leaked.cookie);
    return { session: { cookies: http.exportCookies(), ...tokens } };
  },
  check: async (context) => {
    log(context, leaked.cookie);
    return { unsupported: [] };
  },
  identity: async () => ({ name: "Ann", email: "ann@leaking.example", phone_number: null }),
  resources: {},
};

// oxlint-disable-next-line import/no-default-export
export default defineProvider({
  apiVersion: 1,
  name: "leaking",
  title: "Leaking",
  modes: { xhr, official },
});
