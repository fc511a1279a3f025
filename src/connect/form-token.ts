import { isSameDigest, sha256, type Keyring } from "../platform/crypto/index.ts";
import type { Flow } from "./flow.ts";
import { openFlowKey } from "./flow-secrets.ts";

/** The flow as it is to the browser that looks at it: a colleague's one has forms of its own. */
export function seenBy(flow: Flow, browser: string | undefined): Flow {
  return browser === undefined ? flow : { ...flow, browserDigest: sha256(browser) };
}

/** Binds a form to the flow and to the browser that it was shown to. */
export function makeFormToken(keyring: Keyring, flow: Flow): string {
  return openFlowKey(keyring, flow)
    .mac("digest", "form", flow.browserDigest ?? "")
    .toString("base64url");
}

export function isFormTokenOf(keyring: Keyring, flow: Flow, token: string): boolean {
  return isSameDigest(Buffer.from(token), Buffer.from(makeFormToken(keyring, flow)));
}
