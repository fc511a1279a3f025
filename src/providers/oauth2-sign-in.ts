import type { Resource } from "../model/index.ts";

/** The application that the operator registered at a provider. */
export interface OAuth2Application {
  clientId: string;
  clientSecret: string;
}

/** Those of the configuration, by the names of the providers. */
export type OAuth2Applications = Readonly<Record<string, OAuth2Application>>;

/**
 * The person signs in and approves on the provider's own page. The host leads there, with `state` and PKCE, and calls
 * `login` with what the provider gave. Without an application of the operator, the mode is not there.
 */
export interface OAuth2SignIn {
  /** Pure. The address of that page, without the parameters of OAuth. `https` unless it is of this machine. */
  authorizationUrl(formValues: Readonly<Record<string, string>>): string;
  /** Pure. The provider's scopes for these resources, and for refreshing the session. */
  scopes(resources: readonly Resource[]): readonly string[];
  /** Further parameters of that address, such as `prompt`. */
  parameters?: Readonly<Record<string, string>>;
}

/** What the provider gave when the person approved. `login` exchanges it for a session, once. */
export interface OAuth2Authorization {
  code: string;
  /** Of PKCE. Send it with the code. */
  codeVerifier: string;
  /** Where the provider sent the browser. Send it with the code. */
  redirectUri: string;
}
