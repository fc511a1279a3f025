import { z } from "zod";
import { signIn, type ProviderAccount } from "../connections/index.ts";
import {
  sealedJson,
  wrappedDataKey,
  type DataKey,
  type Keyring,
} from "../platform/crypto/index.ts";
import { describeWrappedKeys } from "../platform/keyed-rows.ts";
import { challenge } from "./challenge.ts";
import { pendingAuthorization } from "./pending-authorization.ts";
import type { Flow } from "./flow.ts";
import { signInAttempt } from "./sign-in-throttle.ts";

const formValues = z.record(z.string(), z.string());

/** What the end user sent last: the values of the provider's form, the address alone, or the answer to a challenge. */
const submission = z.union([
  z.strictObject({ formValues }),
  z.strictObject({ typedAddress: z.string() }),
  z.strictObject({ answer: z.string() }),
]);

/** What a flow keeps of a form that was sent. */
const prefill = z.object({
  /** Those that are not secret. The form shows them again. */
  formValues,
  /** How the throttle counts the attempt. Missing when nothing that was typed names an account. */
  attempt: signInAttempt.exactOptional(),
  /** Why the adapter or the form refused the field. It may quote what was typed. */
  explanation: z.string().exactOptional(),
  /** Whose settings were refused. */
  tokenId: z.string().exactOptional(),
  /** What is at the address that was typed. */
  found: z.object({ version: z.string().exactOptional() }).exactOptional(),
});

const account: z.ZodType<ProviderAccount> = z.object({
  provider: z.string(),
  origin: z.string().nullable(),
  account: z.array(z.string()).readonly(),
});

export type Submission = z.output<typeof submission>;
export type Prefill = z.output<typeof prefill>;

export const flowKey = wrappedDataKey({ name: "flow-key", owner: ["flowId"] });

export const flowKeyRows = describeWrappedKeys("connect_flows", (keyring, id, wrapped) =>
  flowKey.rewrap(keyring, { flowId: id }, wrapped),
);

export function openFlowKey(keyring: Keyring, flow: Pick<Flow, "id" | "wrappedKey">): DataKey {
  return flowKey.open(keyring, { flowId: flow.id }, flow.wrappedKey);
}

const sealedState = sealedJson({ name: "flow-state", owner: ["flowId"], schema: z.string() });

/** The client's `state`, still encoded as in the link. */
export function sealState(key: DataKey, flowId: string, state: string): Buffer {
  return sealedState.seal(key, { flowId }, state);
}

export function openState(
  key: DataKey,
  { id, sealed }: Pick<Flow, "id" | "sealed">,
): string | undefined {
  return sealed.state ? sealedState.open(key, { flowId: id }, sealed.state) : undefined;
}

type SecretFlow = Pick<Flow, "id" | "browserDigest" | "provider" | "isSealedToBrowser">;

/**
 * The values that a flow keeps sealed under its own key. Each opens only for the browser and the provider that it was
 * sealed for, so an earlier state of the row gives it to nobody else.
 */
export const flowSecrets = {
  submission: flowSecret("submission", submission),
  prefill: flowSecret("prefill", prefill),
  challenge: flowSecret("challenge", z.union([pendingAuthorization, challenge])),
  signIn: flowSecret("signIn", signIn),
  /** The last address that the browser was sent to. It holds the code. */
  redirect: flowSecret("redirect", z.string()),
  /** The account whose accesses the browser may see. */
  account: flowSecret("account", account),
};

function flowSecret<Value>(
  name: Exclude<keyof Flow["sealed"], "state" | "handover">,
  schema: z.ZodType<Value>,
) {
  const toBrowser = sealedJson({
    name: `flow-${name}`,
    owner: ["flowId", "browser", "provider"],
    schema,
  });
  const toFlow = sealedJson({ name: `flow-${name}`, owner: ["flowId"], schema });
  return {
    seal: (key: DataKey, flow: SecretFlow, value: Value): Buffer =>
      flow.isSealedToBrowser
        ? toBrowser.seal(key, browserOwner(flow), value)
        : toFlow.seal(key, { flowId: flow.id }, value),
    open: (key: DataKey, flow: SecretFlow & Pick<Flow, "sealed">): Value | undefined => {
      const bytes = flow.sealed[name];
      if (!bytes) return undefined;
      return flow.isSealedToBrowser
        ? toBrowser.open(key, browserOwner(flow), bytes)
        : toFlow.open(key, { flowId: flow.id }, bytes);
    },
  };
}

function browserOwner({ id: flowId, browserDigest, provider }: SecretFlow) {
  return {
    flowId,
    browser: browserDigest?.toString("base64url") ?? "",
    provider: provider ?? "",
  };
}
