import {
  apiVersion,
  type Client,
  type ClientUpdate,
  type ConnectSession,
  type ConnectSessionRequest,
  type Delivery,
  type DeliveryWithBody,
  type Export,
  type ListDeliveriesQuery,
  type ListTokensQuery,
  type ProblemList,
  type ProviderListingEntry,
  type Receipt,
  type Token,
  type TokenEntry,
  type TokenRequest,
  type TokenState,
  type UpdatedClient,
} from "./api.ts";
import { Connection, type Connected } from "./connection.ts";
import { RollcallError } from "./errors.ts";
import type { RollcallEvent } from "./events.ts";
import { Sandbox } from "./sandbox.ts";
import {
  challengeOf,
  formatScopes,
  makeRandom,
  readCallback,
  type ScopeName,
  type SignIn,
} from "./sign-in.ts";
import {
  formatQuery,
  plain,
  Transport,
  type CallOptions,
  type TransportOptions,
} from "./transport.ts";

export interface RollcallOptions extends TransportOptions {
  clientId: string;
  clientSecret: string;
}

type LinkField = "mode" | "provider" | "sandbox" | "locale" | "tags";
/** What this library says itself in a request for a link. */
type OwnField =
  | "scope"
  | "state"
  | "code_challenge"
  | "code_challenge_method"
  | "response_type"
  | "client_id"
  | "redirect_uri"
  | "token";

interface Asked {
  /** Registered for your client, byte for byte. */
  redirect_uri: string;
  /** What you will read, such as `["employees", "payruns"]`. */
  scopes: readonly ScopeName[];
  /** That of the popup, which hands one to your server. A new one when left out. */
  state?: string | undefined;
}

export type LinkRequest = Asked & Pick<ConnectSessionRequest, LinkField>;
export type OneTimeLinkRequest = Asked & Partial<Omit<ConnectSessionRequest, OwnField>>;
export type SignInAgainRequest = Partial<Omit<ConnectSessionRequest, OwnField>> & {
  /** The id of the token that is to work again. */
  token: string;
  redirect_uri: string;
  state?: string | undefined;
};

/** Your own name of the connection, and what you keep with it: in lists and events, and never shown to end users. */
export interface OwnNames {
  reference?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface EventsOptions extends CallOptions {
  /** Where the last look ended: what `onPage` was told. From the oldest event of 30 days when left out or null. */
  after?: string | null | undefined;
  /** How many events a request may bring: 1 to 1,000, and 1,000 when left out. */
  limit?: number | undefined;
  /** Goes on for ever: waits for new events after the last one. Throws when none can be read for the whole deadline. */
  isFollowing?: boolean | undefined;
  /** Called when you have worked on all events of a page, with the `after` of the next. Store it. */
  onPage?: ((after: string) => unknown) | undefined;
}

interface EventPage {
  events: RollcallEvent[];
  after: string;
  more: boolean;
}

const tokensOfPage = 1_000;
const deliveriesOfPage = 200;
const eventsOfPage = 1_000;
/** For a page of events. A follower has to wait through a rate limit, whose window is five minutes. */
const eventsDeadlineSeconds = 600;
const longestHoldSeconds = 30;
const management = `/${apiVersion}/management`;

/** Rollcall for one client, on its server. Bodies and queries have the names of the API. */
export class Rollcall {
  /** Moves simulated accounts: for your tests. */
  readonly sandbox: Sandbox;
  readonly #clientId: string;
  readonly #clientSecret: string;
  readonly #transport: Transport;
  readonly #authorization: string;

  constructor({ clientId, clientSecret, ...options }: RollcallOptions) {
    this.#clientId = plain("clientId", clientId);
    this.#clientSecret = plain("clientSecret", clientSecret);
    this.#transport = new Transport(options);
    this.#authorization = `Basic ${btoa(`${this.#clientId}:${this.#clientSecret}`)}`;
    this.sandbox = new Sandbox(
      async (method, path, body, callOptions) =>
        await this.#manage(method, path, { body }, callOptions),
    );
  }

  /** The data of one end user's account, with what `finishSignIn` gave. */
  connection(connected: Connected): Connection {
    return new Connection(this.#transport, connected);
  }

  /** Hand in what you receive: a read that waits for this data asks for it at once. */
  notify(event: RollcallEvent): void {
    this.#transport.notify(event);
  }

  /** A sign-in link, with a state and PKCE. */
  async signInLink({ scopes, ...request }: LinkRequest): Promise<SignIn> {
    const { verifier, ...made } = await begin(request.state);
    const scope = formatScopes(scopes, request.mode === "official" ? "official" : "xhr");
    const query = { client_id: this.#clientId, ...request, scope, ...made };
    const url = `${this.#transport.url}/connect${formatQuery(query)}`;
    return { url, state: made.state, verifier, redirect_uri: request.redirect_uri };
  }

  /** A link that nobody can change on its way, and that one browser alone can use. */
  async oneTimeLink(
    { scopes, ...request }: OneTimeLinkRequest,
    options?: CallOptions,
  ): Promise<SignIn & Omit<ConnectSession, "connect_url">> {
    const { verifier, ...made } = await begin(request.state);
    const scope = formatScopes(scopes, request.mode === "official" ? "official" : "xhr");
    const session = await this.#makeSession({ ...request, scope, ...made }, options);
    const { connect_url: url, ...rest } = session;
    return { url, state: made.state, verifier, redirect_uri: request.redirect_uri, ...rest };
  }

  /** A link after which the same access token works again. Finish it with `finishSignInAgain`. */
  async linkToSignInAgain(
    request: SignInAgainRequest,
    options?: CallOptions,
  ): Promise<Pick<SignIn, "url" | "state">> {
    const { state = makeRandom() } = request;
    const { connect_url: url } = await this.#makeSession({ ...request, state }, options);
    return { url, state };
  }

  /**
   * Takes the address that the browser came back to, or its query, and exchanges the code. Store all of what it gives.
   * A code is worth one token. When its reply was lost the exchange throws `conflict`: let the end user sign in again.
   */
  async finishSignIn(
    callback: string | URL | URLSearchParams,
    signIn: Pick<SignIn, "state" | "verifier" | "redirect_uri">,
    names: OwnNames = {},
    options?: CallOptions,
  ): Promise<Token> {
    const code = readCallback(callback, signIn);
    if (code === undefined)
      throw new RollcallError("invalid_request", { message: "the callback has no code" });
    const body: TokenRequest = {
      ...names,
      client_id: this.#clientId,
      client_secret: this.#clientSecret,
      grant_type: "authorization_code",
      code,
      redirect_uri: signIn.redirect_uri,
      code_verifier: signIn.verifier,
    };
    const call = { method: "POST", path: `${management}/token`, body } as const;
    // A code gives one token at most, so that a repeated exchange cannot give a second one.
    return await this.#transport.call<Token>({ ...call, isRepeatable: true }, options);
  }

  /** Throws unless the callback is that of this sign-in and a success. Read `identity` then: it may be another person. */
  finishSignInAgain(callback: string | URL | URLSearchParams, signIn: Pick<SignIn, "state">): void {
    readCallback(callback, signIn);
  }

  /** Which providers there are, by mode. */
  async providers(options?: CallOptions): Promise<ProviderListingEntry[]> {
    return await this.#transport.call({ method: "GET", path: "/providers" }, options);
  }

  async client(options?: CallOptions): Promise<Client> {
    return await this.#manage("GET", "/client", {}, options);
  }

  /** What is wrong with your connections and addresses now, whose turn it is, and what to do. */
  async problems(options?: CallOptions): Promise<ProblemList> {
    return await this.#manage("GET", "/problems", {}, options);
  }

  /** Changes the fields that it names. */
  async updateClient(update: ClientUpdate, options?: CallOptions): Promise<UpdatedClient> {
    // When the reply with a new secret was lost, a repetition with the old one is refused as wrong credentials.
    const isRepeatable = update.rotate_secret !== true && update.client_secret === undefined;
    return await this.#manage("POST", "/client", { body: update, isRepeatable }, options);
  }

  /** All tokens, oldest first, page by page. `limit` is the size of a page. */
  async *tokens(query: ListTokensQuery = {}, options?: CallOptions): AsyncGenerator<TokenEntry> {
    yield* this.#pages("/tokens", query, tokensOfPage, ({ token }: TokenEntry) => token, options);
  }

  /** One token, by its id, with how the data of its connection stands. */
  async token(id: string, options?: CallOptions): Promise<TokenState> {
    return await this.#manage("GET", `/tokens/${encodeURIComponent(id)}`, {}, options);
  }

  /** All that is stored of a connection but its credentials. */
  async export(token: string, options?: CallOptions): Promise<Export> {
    return await this.#manage("GET", `/tokens/${encodeURIComponent(token)}/export`, {}, options);
  }

  /** What was deleted when a token ended. */
  async receipt(token: string, options?: CallOptions): Promise<Receipt> {
    return await this.#manage("GET", `/tokens/${encodeURIComponent(token)}/receipt`, {}, options);
  }

  /** The employees' webhooks of the last 14 days, newest first, page by page. */
  async *deliveries(
    query: ListDeliveriesQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Delivery> {
    yield* this.#pages("/deliveries", query, deliveriesOfPage, ({ id }: Delivery) => id, options);
  }

  async delivery(id: string, options?: CallOptions): Promise<DeliveryWithBody> {
    return await this.#manage("GET", `/deliveries/${encodeURIComponent(id)}`, {}, options);
  }

  /** Sends a webhook again. */
  async replayDelivery(id: string, options?: CallOptions): Promise<Delivery> {
    return await this.#manage("POST", `/deliveries/${encodeURIComponent(id)}/replay`, {}, options);
  }

  /** The events of 30 days, oldest first, page by page. */
  async *events(options: EventsOptions = {}): AsyncGenerator<RollcallEvent> {
    const { limit = eventsOfPage, isFollowing = false, onPage, ...callOptions } = options;
    let after = options.after ?? undefined;
    const holdSeconds = isFollowing ? longestHoldSeconds : 0;
    for (;;) {
      const query = { after, limit };
      const call = { query, holdSeconds, deadlineSeconds: eventsDeadlineSeconds };
      const page = await this.#manage<EventPage>("GET", "/events", call, callOptions);
      yield* page.events;
      ({ after } = page);
      await onPage?.(after);
      if (!page.more && !isFollowing) return;
    }
  }

  async #makeSession(
    body: Partial<ConnectSessionRequest>,
    options?: CallOptions,
  ): Promise<ConnectSession> {
    return await this.#manage("POST", "/connect-session", { body }, options);
  }

  async *#pages<Item>(
    path: string,
    query: { limit?: number | undefined; after?: string | undefined },
    sizeOfPage: number,
    idOf: (item: Item) => string,
    options?: CallOptions,
  ): AsyncGenerator<Item> {
    const limit = query.limit ?? sizeOfPage;
    let { after } = query;
    for (;;) {
      const page = await this.#manage<Item[]>(
        "GET",
        path,
        { query: { ...query, limit, after } },
        options,
      );
      yield* page;
      const last = page.at(-1);
      if (page.length < limit || last === undefined) return;
      after = idOf(last);
    }
  }

  async #manage<Body>(
    method: "GET" | "POST",
    path: string,
    call: {
      query?: object;
      body?: object | undefined;
      isRepeatable?: boolean;
      holdSeconds?: number;
      deadlineSeconds?: number;
    },
    options?: CallOptions,
  ): Promise<Body> {
    const authorization = this.#authorization;
    const whole = { method, path: `${management}${path}`, authorization, ...call };
    return await this.#transport.call<Body>(whole, options);
  }
}

async function begin(state = makeRandom()) {
  const verifier = makeRandom();
  const code_challenge = await challengeOf(verifier);
  return { verifier, state, code_challenge, code_challenge_method: "S256" };
}
