import { randomInt } from "node:crypto";
import { z } from "zod";
import {
  isSameDigest,
  mintCredential,
  sealedJson,
  sha256,
  type Keyring,
} from "../platform/crypto/index.ts";
import { notify } from "../platform/db/index.ts";
import type { Flow, Phase } from "./flow.ts";
import { openFlowKey } from "./flow-secrets.ts";
import { replaceHandover } from "./flow-store.ts";
import type { Needs } from "./services.ts";

// The person in front of the page is often not the one with the key. In a flow of a connect session that allows it, a
// second browser can do the sign-in: with a link, and with digits that only the first browser shows. The first browser
// stays the one that is sent back to the client, with the code. A link that anybody can open has none of this: a
// stranger would open one, have somebody else sign in, and get the code.

const handover = z.object({
  /** The colleague's link. The first browser shows it again. */
  credential: z.string(),
  digits: z.string(),
  wrongDigits: z.int(),
  /** Of the colleague's browser, in base64; null until it has typed the digits. */
  helper: z.string().nullable(),
});

export type Handover = z.output<typeof handover>;

const sealedHandover = sealedJson({ name: "flow-handover", owner: ["flowId"], schema: handover });

/** For so long the link can be used, and what it led to be finished. */
const handoverLifetimeSeconds = 60 * 60;
const mostWrongDigits = 5;

/** The phases in which there is something to do for a colleague. */
const openPhases: ReadonlySet<Phase> = new Set([
  "choosing",
  "form",
  "running",
  "challenged",
  "waiting",
]);

/** Where a colleague's browser is let in. Its link has the credential as `key`. */
export function handoverPath(flowId: string): string {
  return `/connect/${flowId}/handover`;
}

/** Whose browser it is: that of who began the sign-in, or of the colleague. */
export type Role = "owner" | "helper";

/** Undefined when the sign-in was not handed over. */
export function openHandover(keyring: Keyring, flow: Flow): Handover | undefined {
  const { handover: sealed } = flow.sealed;
  return sealed
    ? sealedHandover.open(openFlowKey(keyring, flow), { flowId: flow.id }, sealed)
    : undefined;
}

/** Whether a colleague can go on with it. */
export function isHandedOver({ sealed, phase }: Flow): boolean {
  return sealed.handover !== null && openPhases.has(phase);
}

/**
 * What a page shows of a flow, to be asked whether there is something else to show. A colleague who comes in is no step
 * of the flow, and is something to show in the first browser.
 */
export function shownStep(keyring: Keyring, flow: Flow & { isHelper: boolean }): string {
  const handover = !flow.isHelper && isHandedOver(flow) ? openHandover(keyring, flow) : undefined;
  if (!handover) return String(flow.step);
  return `${flow.step} ${handover.helper === null ? "open" : "entered"}`;
}

/** The role of a browser in a flow. Undefined for one that has none. */
export function findRole(
  keyring: Keyring,
  flow: Flow,
  browser: string | undefined,
): Role | undefined {
  if (browser === undefined) return undefined;
  const digest = sha256(browser);
  if (flow.browserDigest?.equals(digest)) return "owner";
  const helper = openHandover(keyring, flow)?.helper;
  return helper && isSameDigest(Buffer.from(helper, "base64"), digest) ? "helper" : undefined;
}

/** Makes the colleague's link. Does nothing in a flow whose client does not allow it. */
export async function handOver(
  { pool, keyring, environment }: Needs<"pool" | "keyring" | "environment">,
  flow: Flow,
): Promise<void> {
  if (!flow.allowsHandover) return;
  await store({ pool, keyring }, flow, {
    credential: mintCredential("ln", environment),
    digits: String(randomInt(0, 1_000_000)).padStart(6, "0"),
    wrongDigits: 0,
    helper: null,
  });
}

/** The link and the colleague's browser are worth nothing from now on. */
export async function takeBack(dependencies: Needs<"pool" | "keyring">, flow: Flow): Promise<void> {
  await store(dependencies, flow, null);
}

/** Whether the colleague's link is this one, and nobody has used it. */
export function isOpenLink(keyring: Keyring, flow: Flow, credential: string): boolean {
  const opened = isHandedOver(flow) && !flow.isExpired ? openHandover(keyring, flow) : undefined;
  return (
    opened !== undefined &&
    opened.helper === null &&
    isSameDigest(sha256(opened.credential), sha256(credential))
  );
}

/**
 * Lets the browser in that has typed the digits. The fifth wrong ones end the link. Of two tries at once one is looked
 * at, so that nobody has more.
 */
export async function enterHandover(
  dependencies: Needs<"pool" | "keyring">,
  flow: Flow,
  { digits, browser }: { digits: string; browser: string },
): Promise<"entered" | "wrong" | "ended"> {
  const opened = openHandover(dependencies.keyring, flow);
  if (!opened || opened.helper !== null) return "ended";
  const isRight = isSameDigest(sha256(opened.digits), sha256(digits.replaceAll(/\s/g, "")));
  const wrongDigits = opened.wrongDigits + (isRight ? 0 : 1);
  const helper = isRight ? sha256(browser).toString("base64") : null;
  const isOver = wrongDigits >= mostWrongDigits;
  const stored = await store(
    dependencies,
    flow,
    isOver ? null : { ...opened, wrongDigits, helper },
  );
  if (isRight && stored) return "entered";
  return isOver ? "ended" : "wrong";
}

/** False when somebody else has changed it since the flow was read. The page of the first browser hears of it. */
async function store(
  { pool, keyring }: Needs<"pool" | "keyring">,
  flow: Flow,
  value: Handover | null,
): Promise<boolean> {
  const isNew = value?.wrongDigits === 0 && value.helper === null;
  const isStored = await replaceHandover(pool, flow, {
    sealed: value && sealedHandover.seal(openFlowKey(keyring, flow), { flowId: flow.id }, value),
    lifetimeSeconds: isNew ? handoverLifetimeSeconds : null,
  });
  if (isStored) await notify(pool, flow.id);
  return isStored;
}
