// An end user's way from a link to a code: what is asked for, the sign-in at the provider, the connection that comes of it.
export { checkScopes, Connect, type SignInRequest, type SignInStep } from "./connect.ts";
