import { z } from "zod";
import type { Client } from "../clients/index.ts";
import {
  isScope,
  locales,
  mode as modeSchema,
  modeOfScopes,
  type Locale,
  type Mode,
  type Scope,
} from "../model/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import { describeUnknownScope, formOfScopes } from "./unknown-scope.ts";

/** A sign-in link whose parameters hold together. */
export interface Link {
  mode: Mode;
  scopes: Scope[];
  /** Undefined when the end user chooses. */
  provider: string | undefined;
  isSandbox: boolean;
  codeChallenge: string | null;
  locale: string | null;
  tags: string[];
}

export type LinkError = "invalid_request" | "invalid_scope";

/** A mistake in a link, in the words of OAuth. The client gets it by a redirect. */
export class InvalidLink extends Error {
  readonly error: LinkError;
  constructor(error: LinkError, description: string) {
    super(description);
    this.error = error;
  }
}

export const sandboxRefused =
  "the sandbox is offered in prod only to a client that has allow_sandbox on";
const maxStateLength = 4_096;

export const linkParameters = z.object({
  scope: z.string().max(4_096),
  mode: z.string().optional(),
  provider: z.string().max(100).optional(),
  sandbox: z.enum(["true", "false"], { error: "has to be true or false" }).optional(),
  state: z.string().max(maxStateLength).optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
  response_type: z.string().optional(),
  locale: z.string().max(35).optional(),
  tags: z
    .string()
    .max(1_000)
    .regex(/^[^\0]*$/, "holds a character that no tag has")
    .optional(),
});

export type LinkParameters = z.output<typeof linkParameters>;

/** Throws InvalidLink. The client and the redirect address were checked before. */
export function readLink(
  parameters: LinkParameters,
  given: { client: Pick<Client, "requirePkce">; registry: ProviderRegistry; maySimulate: boolean },
): Link {
  if (parameters.response_type !== undefined && parameters.response_type !== "code")
    throw new InvalidLink("invalid_request", "response_type is code");
  const { scopes, mode } = readScopes(parameters);
  return {
    mode,
    scopes,
    provider: readProvider(parameters, mode, given),
    isSandbox: parameters.sandbox === "true",
    codeChallenge: readChallenge(parameters, given.client),
    locale: matchLocale(parameters.locale) ?? null,
    tags: words(parameters.tags),
  };
}

/** The supported language that a tag such as `de-AT` asks for. */
export function matchLocale(tag: string | undefined): Locale | undefined {
  const [language] = (tag ?? "").toLowerCase().split(/[-_]/, 1);
  return locales.find((locale) => locale === language);
}

function readScopes({ scope, mode }: LinkParameters): { scopes: Scope[]; mode: Mode } {
  const values = [...new Set(words(scope))];
  const scopes = values.filter(isScope);
  const unknown = values.find((value) => !isScope(value));
  if (unknown !== undefined) throw new InvalidLink("invalid_scope", describeUnknownScope(unknown));
  if (scopes.length === 0)
    throw new InvalidLink("invalid_scope", `scope names no scope; ${formOfScopes}`);
  const modeOfAll = modeOfScopes(scopes);
  if (!modeOfAll) throw new InvalidLink("invalid_scope", "scope names scopes of both modes");
  const wanted = mode === undefined ? modeOfAll : modeSchema.safeParse(mode).data;
  if (!wanted) throw new InvalidLink("invalid_request", "mode is official or xhr");
  if (wanted !== modeOfAll)
    throw new InvalidLink("invalid_scope", `scope names scopes that are not of mode ${wanted}`);
  return { scopes, mode: wanted };
}

function readProvider(
  { provider, sandbox }: LinkParameters,
  mode: Mode,
  { registry, maySimulate }: { registry: ProviderRegistry; maySimulate: boolean },
): string | undefined {
  const name = provider ?? (sandbox === "true" ? "sandbox" : undefined);
  if (name === undefined) return undefined;
  if (!registry.findMode(name, mode))
    throw new InvalidLink("invalid_request", "provider does not exist in this mode");
  if (sandbox === "true" && !registry.isSimulated(name))
    throw new InvalidLink(
      "invalid_request",
      "provider is not the simulated one, which sandbox=true asks for",
    );
  if (registry.isSimulated(name) && !maySimulate)
    throw new InvalidLink("invalid_request", sandboxRefused);
  return name;
}

function readChallenge(
  { code_challenge: challenge, code_challenge_method: method }: LinkParameters,
  { requirePkce }: Pick<Client, "requirePkce">,
): string | null {
  if (challenge === undefined) {
    if (method !== undefined)
      throw new InvalidLink(
        "invalid_request",
        "code_challenge_method comes without a code_challenge",
      );
    if (requirePkce)
      throw new InvalidLink("invalid_request", "code_challenge is required for this client");
    return null;
  }
  if (method === undefined)
    throw new InvalidLink(
      "invalid_request",
      "code_challenge_method is missing; beside a code_challenge it has to be S256",
    );
  if (method !== "S256")
    throw new InvalidLink(
      "invalid_request",
      `code_challenge_method has to be S256${method === "plain" ? ", and plain is not taken" : ""}`,
    );
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new InvalidLink("invalid_request", "code_challenge is the base64url of a SHA-256");
  return challenge;
}

function words(text: string | undefined): string[] {
  return (text ?? "").split(/[\s,]+/).filter((word) => word !== "");
}
