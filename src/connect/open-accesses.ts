import { v7 as uuidv7 } from "uuid";
import type { Mode } from "../model/index.ts";
import { sha256 } from "../platform/crypto/index.ts";
import type { DeclaredMode } from "../providers/index.ts";
import { beginFlow, type Opener } from "./begin-flow.ts";
import type { FlowSource } from "./find-flow.ts";
import type { Flow } from "./flow.ts";
import type { Needs } from "./services.ts";

/** A way to sign in to an account. */
export interface AccountSignIn {
  provider: string;
  mode: Mode;
  title: string;
  /** The titles of what is typed as a secret, for a provider with several ways to sign in. */
  secrets: readonly string[];
}

/**
 * Whether a sign-in proves whose account it is. Anybody can sign in to every account of a simulated provider, so its
 * accesses are shown in local mode alone.
 */
export function hasOwnedAccounts(
  { registry, isLocal }: Needs<"registry" | "isLocal">,
  provider: string,
): boolean {
  return isLocal || !registry.isSimulated(provider);
}

/** The providers whose accounts somebody can sign in to, by their titles. */
export function listAccountSignIns(dependencies: Needs<"registry" | "isLocal">): AccountSignIn[] {
  const offered = dependencies.registry
    .list()
    .filter(({ name }) => hasOwnedAccounts(dependencies, name));
  return offered
    .flatMap(({ name, title, modes }) => {
      const realms = new Set(Object.values(modes).map(({ realm }) => realm));
      return [...realms].flatMap((mode) => {
        const declared = modes[mode];
        if (!declared || !namesAccount(declared)) return [];
        const secrets = realms.size > 1 ? declared.fields.filter(({ isSecret }) => isSecret) : [];
        return [{ provider: name, mode, title, secrets: secrets.map((field) => field.title) }];
      });
    })
    .sort((a, b) => a.title.localeCompare(b.title, "en"));
}

/** Whether a sign-in proves whose account it is, and the adapter or the form names it. */
function namesAccount({ isElsewhere, namesAccountOfSession, fields }: DeclaredMode): boolean {
  return isElsewhere ? namesAccountOfSession : fields.some(({ isSecret }) => isSecret);
}

/**
 * Begins a sign-in that makes no connection. Undefined for a provider that is not offered. Throws RateLimited when the
 * opener's network has too many sign-ins open.
 */
export async function openAccesses(
  dependencies: FlowSource & Needs<"clock" | "registry" | "isLocal">,
  { provider, mode }: { provider: string; mode: string },
  { browser, opener, locale }: { browser: string; opener: Opener; locale: string },
): Promise<Flow | undefined> {
  const chosen = listAccountSignIns(dependencies).find(
    (each) => each.provider === provider && each.mode === mode,
  );
  if (!chosen) return undefined;
  return await beginFlow(
    dependencies,
    {
      purpose: "accesses",
      id: uuidv7({ msecs: dependencies.clock.now().getTime() }),
      browserDigest: sha256(browser),
      mode: chosen.mode,
      provider,
      isProviderFixed: true,
      phase: "form",
      locale,
      clientId: "",
      redirectUri: "",
      scopes: [],
      codeChallenge: null,
      tags: [],
      isSandbox: false,
    },
    opener,
  );
}
