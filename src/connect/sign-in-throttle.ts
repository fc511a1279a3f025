import type { Audit } from "../audit/index.ts";
import { sha256, type Keyring } from "../platform/crypto/index.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Flow } from "./flow.ts";
import * as store from "./throttle-store.ts";

/** How an attempt counts. Each text is a keyed digest in base64url, of the account and what it names. */
export interface SignInAttempt {
  account: string;
  /** The address that it came from. */
  source: string;
  /** By each key of the service, the active one first. Empty for a browser without a mark. */
  browser: readonly string[];
  /** The same of its /24 or /48. */
  network: readonly string[];
  /** Once it is admitted. */
  counted?: CountedAttempt;
}

/** Where an admitted attempt counts as refused, until it is withdrawn. */
interface CountedAttempt {
  hour: string;
  /** Undefined for an attempt that waits for no other one. */
  source?: string | undefined;
  at: string;
}

export type Admission =
  | { kind: "admitted"; counted?: CountedAttempt }
  /** It may ask again after so long. */
  | { kind: "paused"; afterSeconds: number }
  /** The hour has no room. */
  | { kind: "refused" };

interface Decision {
  admission: Admission;
  /** When one is full, which the operator is told of. */
  fullHour?: string;
}

type ThrottledFlow = Pick<
  Flow,
  "id" | "clientId" | "tokenId" | "provider" | "linkDigest" | "refusedAttempts"
>;

interface SignInThrottleDependencies {
  pool: Pool;
  keyring: Keyring;
  audit: Audit;
  log: Log;
  metrics: Metrics;
}

const mostInHour = 20;
const attemptsOfLink = 3;

/**
 * Holds off whoever is guessing a password, without locking out who knows it.
 *
 * Who has signed in to an account before is known by network and by browser: each of them has twenty attempts an hour
 * of its own. All others together have twenty, from wherever they come. A one-time link has three of its own,
 * because the client made it for somebody. Attempts from one address get slower with every refusal, up to a minute.
 */
export class SignInThrottle {
  readonly #dependencies: SignInThrottleDependencies;

  constructor(dependencies: SignInThrottleDependencies) {
    this.#dependencies = dependencies;
  }

  /** `account` names the account at the provider in one spelling. */
  identify(
    provider: string,
    account: readonly string[],
    from: { address: string; network: string; browser: string | undefined },
  ): SignInAttempt {
    const { keyring } = this.#dependencies;
    const digest = (keyId: string, ...more: string[]): string =>
      keyring.digest(keyId, JSON.stringify([provider, account, ...more])).toString("base64url");
    const { activeKeyId } = keyring;
    const keyIds = [activeKeyId, ...keyring.keyIds.filter((id) => id !== activeKeyId)];
    const known = (kind: string, value: string | undefined): string[] =>
      value ? keyIds.map((keyId) => digest(keyId, kind, value)) : [];
    return {
      account: digest(activeKeyId),
      source: digest(activeKeyId, from.address),
      browser: known("browser", from.browser),
      network: known("network", from.network),
    };
  }

  /** An admitted attempt counts as refused until `withdraw` or `recordSuccess`. */
  async admit(attempt: SignInAttempt, flow: ThrottledFlow): Promise<Admission> {
    const { pool } = this.#dependencies;
    const isOwn = flow.linkDigest !== null && flow.refusedAttempts < attemptsOfLink;
    const { admission, isNews } = await transaction(pool, async (tx) => {
      const decided = await (isOwn
        ? this.#admitOfLink(tx, attempt)
        : this.#admitOther(tx, attempt));
      const { fullHour } = decided;
      return {
        admission: decided.admission,
        isNews: fullHour !== undefined && (await this.#record(tx, fullHour, attempt, flow)),
      };
    });
    if (isNews) this.#tell(attempt, flow, isOwn);
    return admission;
  }

  /** The attempt was not made, or it ended without a refusal. */
  async withdraw({ counted }: SignInAttempt): Promise<void> {
    if (!counted) return;
    const { pool } = this.#dependencies;
    if (counted.source !== undefined) await store.uncountAtSource(pool, counted.source);
    await store.uncountInHour(pool, counted.hour, new Date(counted.at));
  }

  /** Also clears the earlier refusals of its source, and remembers where it came from. */
  async recordSuccess(attempt: SignInAttempt): Promise<void> {
    const { pool } = this.#dependencies;
    const { counted, source, browser, network } = attempt;
    await store.forgetSources(pool, [source, counted?.source ?? source]);
    if (counted) await store.uncountInHour(pool, counted.hour, new Date(counted.at));
    await store.rememberSources(pool, [...browser.slice(0, 1), ...network.slice(0, 1)]);
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    await store.removeForgotten(this.#dependencies.pool, signal);
  }

  /** Never refused here. More than twenty an hour at one account, by links together, are told. */
  async #admitOfLink(tx: Transaction, { account }: SignInAttempt): Promise<Decision> {
    const hour = sha256(`links ${account}`).toString("base64url");
    const at = await store.countInHour(tx, hour, mostInHour);
    return at
      ? { admission: { kind: "admitted", counted: { hour, at: at.toISOString() } } }
      : { admission: { kind: "admitted" }, fullHour: hour };
  }

  /** In the first of its hours that has room: that of its browser, of its network, of everybody. */
  async #admitOther(tx: Transaction, attempt: SignInAttempt): Promise<Decision> {
    const { account, browser, network } = attempt;
    const known = await store.findKnownSources(tx, [...browser, ...network]);
    const ofBrowser = browser.find((digest) => known.has(digest));
    const ofNetwork = network.find((digest) => known.has(digest));
    const source = ofBrowser ?? attempt.source;
    const afterSeconds = await store.countAtSource(tx, source);
    if (afterSeconds !== undefined) return { admission: { kind: "paused", afterSeconds } };
    for (const hour of [ofBrowser, ofNetwork, account]) {
      const at = hour === undefined ? undefined : await store.countInHour(tx, hour, mostInHour);
      if (hour !== undefined && at)
        return {
          admission: { kind: "admitted", counted: { hour, source, at: at.toISOString() } },
        };
    }
    await store.uncountAtSource(tx, source);
    return { admission: { kind: "refused" }, fullHour: account };
  }

  /** True for the first one in an hour. */
  async #record(
    tx: Transaction,
    fullHour: string,
    attempt: SignInAttempt,
    flow: ThrottledFlow,
  ): Promise<boolean> {
    if (!(await store.noteTold(tx, fullHour))) return false;
    await this.#dependencies.audit.record(tx, "sign-in.throttled", {
      clientId: flow.clientId || undefined,
      tokenId: flow.tokenId ?? undefined,
      detail: {
        provider: flow.provider ?? "",
        account: pseudonymOf(attempt),
        by: fullHour === attempt.account ? "anybody" : "one-time-links",
      },
    });
    return true;
  }

  #tell(attempt: SignInAttempt, flow: ThrottledFlow, isOwn: boolean): void {
    const { log, metrics } = this.#dependencies;
    const { id: flowId, clientId, provider } = flow;
    metrics.guessedAccounts.inc({ provider: provider ?? "none" });
    log.warn(
      { flowId, clientId, provider, account: pseudonymOf(attempt) },
      isOwn
        ? "an account had 20 attempts within an hour by one-time links; further links are still tried"
        : "an account had 20 attempts within an hour; those of strangers are refused until there is room",
    );
  }
}

/** Names the account in the log and in the audit record to nobody. */
function pseudonymOf({ account }: SignInAttempt): string {
  return account.slice(0, 16);
}
