import * as library from "openid-client";
import type { SiteSender } from "../../platform/outbound/index.ts";
import {
  countsAddress,
  countsGroup,
  standingOf,
  type Claims,
  type OperatorIssuer,
  type Standing,
} from "./is-operator.ts";
import { SignInRefusal } from "./sign-in-refusal.ts";

/** What a browser has to bring back, with what is proved by it. */
export interface Proofs {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
}

const timeoutSeconds = 10;

export function makeProofs(): Proofs {
  return {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
  };
}

/** The issuer, as it describes itself. Its keys are fetched when they are needed, and again when they change. */
export class Issuer {
  readonly #settings: OperatorIssuer;
  readonly #redirectUri: string;
  readonly #server: library.Configuration;

  private constructor(
    settings: OperatorIssuer,
    redirectUri: string,
    server: library.Configuration,
  ) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
    this.#server = server;
  }

  static async discover(
    settings: OperatorIssuer,
    { redirectUri, sender }: { redirectUri: string; sender: SiteSender },
  ): Promise<Issuer> {
    const { url, clientId, clientSecret } = settings;
    const address = new URL(url);
    const server = await library.discovery(address, clientId, {}, authenticateBy(clientSecret), {
      timeout: timeoutSeconds,
      [library.customFetch]: (target, request) => sender.send(target, request),
      execute: [
        // Without it the library takes an id token for true because of where it came from.
        library.enableNonRepudiationChecks,
        ...(address.protocol === "http:" ? [library.allowInsecureRequests] : []),
      ],
    });
    // The library lets some hosts name another issuer, such as one for the people of every organisation.
    if (new URL(server.serverMetadata().issuer).href !== address.href)
      throw new SignInRefusal("issuer", { problem: "another issuer in the metadata" });
    return new Issuer(settings, redirectUri, server);
  }

  async authorizationAddress({ state, nonce, verifier }: Proofs): Promise<string> {
    const address = library.buildAuthorizationUrl(this.#server, {
      redirect_uri: this.#redirectUri,
      scope: this.#scope(),
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    return address.href;
  }

  /** Who came back with this query, by the issuer's `sub`, and whether they are an operator. */
  async redeem(query: string, proofs: Proofs): Promise<{ subject: string; standing: Standing }> {
    const callback = new URL(this.#redirectUri);
    callback.search = query;
    const tokens = await library.authorizationCodeGrant(this.#server, callback, {
      expectedState: proofs.state,
      expectedNonce: proofs.nonce,
      pkceCodeVerifier: proofs.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new SignInRefusal("proof", { problem: "no id token" });
    const { sub: subject } = claims;
    const standing = standingOf([claims], this.#settings);
    if (standing === "operator" || !this.#server.serverMetadata().userinfo_endpoint)
      return { subject, standing };
    // Many issuers tell addresses and groups there alone.
    const more: Claims = await library.fetchUserInfo(this.#server, tokens.access_token, subject);
    return { subject, standing: standingOf([claims, more], this.#settings) };
  }

  /** No more than the list needs: an unknown scope is an error at some issuers. */
  #scope(): string {
    const { operators, groupsClaim } = this.#settings;
    const { scopes_supported: offered = [] } = this.#server.serverMetadata();
    const isOffered = operators.some(countsGroup) && offered.includes(groupsClaim);
    return [
      "openid",
      ...(operators.some(countsAddress) ? ["email"] : []),
      ...(isOffered ? [groupsClaim] : []),
    ].join(" ");
  }
}

/** The secret as the issuer takes it. By OpenID Connect Discovery, who names nothing takes Basic. */
function authenticateBy(secret: string): library.ClientAuth {
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: taken = ["client_secret_basic"] } = server;
    const authenticate = taken.includes("client_secret_basic")
      ? library.ClientSecretBasic(secret)
      : library.ClientSecretPost(secret);
    authenticate(server, ...rest);
  };
}
