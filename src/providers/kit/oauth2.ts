import { z } from "zod";
import type { Resource } from "../../model/index.ts";
import type {
  FormValues,
  ProviderContext,
  ProviderMode,
  Session,
  SignInContext,
} from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { requestOAuth2Tokens, type OAuth2Tokens } from "../request-oauth2-tokens.ts";

/** The tokens in the form of a session: `z.strictObject({ ...tokenFields, company: z.string() })`. */
export const tokenFields = {
  accessToken: z.string(),
  /** Without it, the session ends with the access token. */
  refreshToken: z.string().exactOptional(),
  expiresAt: z.string(),
};
const held = z.object(tokenFields);
type Held = z.output<typeof held>;

/** A sign-in on the provider's own page, as it is declared. */
export interface OAuth2Definition {
  /** Of that page, without the parameters of OAuth. */
  authorizationUrl: string | ((formValues: FormValues) => string);
  /** Where codes and refresh tokens are exchanged; of what the session has besides the tokens, where it depends on it. */
  tokenUrl: string | ((session: Session) => string);
  /** How the application proves itself. `basic` unless said otherwise; `json` sends all fields as JSON. */
  authentication?: "basic" | "body" | "json";
  /** Those of every sign-in, such as the one for refreshing, and those by resource. */
  scopes: {
    always: readonly string[];
    of?: Readonly<Partial<Record<Resource, readonly string[]>>>;
  };
  /** Further parameters of the page, such as `prompt`. */
  parameters?: Readonly<Record<string, string>>;
  /** How long an access token lives, of a provider that may not say it. */
  lifetimeSeconds?: number;
}

/** Who approved, by the claims of OpenID Connect. */
export interface ApprovedBy {
  /** Tells people apart, and never changes. */
  sub: string;
  name: string;
  /** Empty when the provider does not tell it. */
  email: string;
}

const claimsOfPerson = z.object({
  sub: z.string().min(1),
  name: z.string().nullish(),
  given_name: z.string().nullish(),
  family_name: z.string().nullish(),
  email: z.string().nullish(),
});

/** An access token that ends sooner may end before a request with it arrives. */
const leastLifeMs = 60_000;

/** Exchanges codes and refresh tokens. A refresh token may work once, so the host alone calls `refresh`. */
export class OAuth2 {
  readonly #definition: OAuth2Definition;

  constructor(definition: OAuth2Definition) {
    this.#definition = definition;
  }

  /** What a mode has of it. The host refreshes by it before the session ends. */
  get mode(): Required<Pick<ProviderMode, "oauth2" | "refresh" | "expiresAt">> {
    const { authorizationUrl, scopes, parameters } = this.#definition;
    return {
      oauth2: {
        authorizationUrl: (formValues) =>
          typeof authorizationUrl === "string" ? authorizationUrl : authorizationUrl(formValues),
        scopes: (resources) => [
          ...new Set([
            ...scopes.always,
            ...resources.flatMap((resource) => scopes.of?.[resource] ?? []),
          ]),
        ],
        ...(parameters && { parameters }),
      },
      refresh: (context, session) => this.renew(context, session),
      expiresAt: (session) => new Date(parseHeld(session).expiresAt),
    };
  }

  /** In `login`: the code for tokens, once. `own` is what the session has besides them. */
  async exchange<Own extends Session>(
    context: SignInContext,
    own: Own,
  ): Promise<{ session: Own & Held; claims: OAuth2Tokens["idTokenClaims"] }> {
    const { authorization: grant } = context;
    if (!grant) throw new ProviderBug("the sign-in has no code of the provider's page");
    const tokens = await this.#ask(context, own, grant);
    return { session: { ...own, ...this.#toHeld(context, tokens) }, claims: tokens.idTokenClaims };
  }

  /** The session with new tokens. Providers that give no new refresh token take the one before again. */
  async renew<Of extends Session>(context: ProviderContext, session: Of): Promise<Of & Held> {
    const { refreshToken } = parseHeld(session);
    if (refreshToken === undefined) throw new AuthError("reauthentication_required");
    const tokens = await this.#ask(context, session, { refreshToken });
    return { ...session, refreshToken, ...this.#toHeld(context, tokens) };
  }

  /** In `logOut`, when nobody else refreshes any more: a session whose access token does not end just now. */
  async makeFresh<Of extends Session>(context: ProviderContext, session: Of): Promise<Of & Held> {
    const tokens = parseHeld(session);
    const isEnding = Date.parse(tokens.expiresAt) - context.clock.now().getTime() < leastLifeMs;
    return isEnding ? await this.renew(context, session) : { ...session, ...tokens };
  }

  async #ask(
    context: ProviderContext,
    session: Session,
    grant: Parameters<typeof requestOAuth2Tokens>[1]["grant"],
  ): Promise<OAuth2Tokens> {
    const { tokenUrl: at, authentication = "basic" } = this.#definition;
    const tokenUrl = typeof at === "string" ? at : at(session);
    return await requestOAuth2Tokens(context, { tokenUrl, grant, authentication });
  }

  #toHeld({ clock }: ProviderContext, tokens: OAuth2Tokens): Held {
    const { accessToken, refreshToken, expiresAt } = tokens;
    const { lifetimeSeconds } = this.#definition;
    if (expiresAt === undefined && lifetimeSeconds === undefined)
      throw new ProviderBug("the token endpoint does not say how long the token lives");
    const ms = (lifetimeSeconds ?? 0) * 1_000;
    return {
      accessToken,
      ...(refreshToken !== undefined && { refreshToken }),
      expiresAt: expiresAt ?? new Date(clock.now().getTime() + ms).toISOString(),
    };
  }
}

export function oauth2(definition: OAuth2Definition): OAuth2 {
  return new OAuth2(definition);
}

/** Who approved, of a provider with OpenID Connect. Throws ProviderBug when it does not tell. */
export function readApprovedBy(claims: OAuth2Tokens["idTokenClaims"]): ApprovedBy {
  const { data } = claimsOfPerson.safeParse(claims);
  if (!data) throw new ProviderBug("the provider does not tell who approved");
  const { sub, name, given_name, family_name, email } = data;
  const names = [given_name, family_name].filter(Boolean).join(" ");
  return { sub, name: name || names || email || sub, email: email ?? "" };
}

function parseHeld(session: Session): Held {
  const { data } = held.safeParse(session);
  if (!data) throw new ProviderBug("the session has no tokens");
  return data;
}
