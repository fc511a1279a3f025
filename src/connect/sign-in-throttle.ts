import { z } from "zod";
import type { Audit } from "../audit/index.ts";
import { sha256, type Keyring } from "../platform/crypto/index.ts";
import { transaction, type Pool, type Transaction } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";
import { canonicalAddress, type AttemptedAccount } from "./attempt-account.ts";
import type { Flow } from "./flow.ts";
import * as store from "./throttle-store.ts";

const countedInHour = z.object({ hour: z.string(), at: z.iso.datetime() });

/** Where an admitted attempt counts as refused, until it is withdrawn. */
const countedAttempt = z.object({
  hours: z.array(countedInHour).readonly(),
  /** Undefined for an attempt that does not have to wait for others. */
  source: z.object({ source: z.string(), until: z.iso.datetime() }).optional(),
  /** Its address, and that among those which its network tries. */
  probes: z.array(countedInHour).readonly().exactOptional(),
});

/**
 * How an attempt counts. Each text is a keyed digest in base64url, of the account and what it names. One of an older
 * version names no browser, no network and no address.
 */
export const signInAttempt = z.object({
  /** The account as strangers share it. Empty when only an address is looked at. */
  account: z.string(),
  /** The address that it came from. */
  source: z.string(),
  /** The browser's mark by each key of the service, the active one first. Empty for a browser without a mark. */
  browser: z.array(z.string()).readonly().default([]),
  /** The /24 or /48 of the address, by each key too. */
  network: z.array(z.string()).readonly().default([]),
  /** Whether a one-time link was made for an attempt at this account. */
  isOfLink: z.boolean().default(false),
  /** The /24 or /48 of the address, whatever the account and the provider. */
  prober: z.string().default(""),
  /** The address that is typed, as the network tries it. Empty for one that nobody looks at. */
  probed: z.string().default(""),
  /** Once it is admitted. */
  counted: countedAttempt.exactOptional(),
});

type CountedAttempt = z.output<typeof countedAttempt>;
export type SignInAttempt = z.output<typeof signInAttempt>;

interface AttemptedFrom {
  address: string;
  network: string;
  browser: string | undefined;
  isOfLink: boolean;
  /** Of the system, where somebody looks what is there. */
  typedAddress?: string;
}

export type Admission =
  | { kind: "admitted"; counted?: CountedAttempt }
  /** It may ask again after so long. */
  | { kind: "paused"; afterSeconds: number }
  /** The hour has no room: that of the account, or that of the addresses that the network tries. */
  | { kind: "refused"; isOfNetwork?: boolean };

interface Decision {
  admission: Admission;
  guessed?: Guessed;
}

/** The hour with more attempts than people make. The operator is told of it. */
interface Guessed {
  hour: string;
  by: "anybody" | "one-time-links";
}

type ThrottledFlow = Pick<Flow, "id" | "clientId" | "tokenId" | "provider" | "linkDigest">;

interface SignInThrottleDependencies {
  pool: Pool;
  keyring: Keyring;
  audit: Audit;
  log: Log;
  metrics: Metrics;
}

const mostInHour = 20;
const mostOfLink = 3;
/** An hour's attempts of all links that one client made: at one account, or to sign in again for one token. */
const mostOfLinks = 60;
/** Addresses without a system that one network tries in an hour, and how often each of them. */
const mostProbes = 20;
const mostTriesOfOne = 200;

/** What is said at the field of the address then. It is translated as the sentences of adapters are. */
export const tooManyAddresses =
  "Too many addresses were tried from your network within an hour. Please try again in an hour.";

/**
 * Holds off whoever is guessing a password, without locking out who knows it.
 *
 * Networks and browsers that have signed in to an account before are known at it: each of them has twenty attempts an
 * hour of its own. All others together have twenty, from wherever they come. A one-time link has three of its own,
 * because the client made it for somebody; the links of one client have sixty an hour at an account. Attempts from one
 * source get slower with every refusal after the third, up to a minute.
 *
 * Where the address of the system is typed, a network may try twenty addresses an hour at which there is none: nobody
 * looks for servers and ports through the service. Colleagues who come again to the address of a system that is away
 * try one, two hundred times.
 */
export class SignInThrottle {
  readonly #dependencies: SignInThrottleDependencies;

  constructor(dependencies: SignInThrottleDependencies) {
    this.#dependencies = dependencies;
  }

  identify(
    provider: string,
    { name, shared }: AttemptedAccount,
    from: AttemptedFrom,
  ): SignInAttempt {
    const { keyring } = this.#dependencies;
    const digest = (keyId: string, ...what: unknown[]): string =>
      keyring.digest(keyId, JSON.stringify([provider, ...what])).toString("base64url");
    const { activeKeyId } = keyring;
    const keyIds = [activeKeyId, ...keyring.keyIds.filter((id) => id !== activeKeyId)];
    const known = (kind: string, value: string | undefined): string[] =>
      value ? keyIds.map((keyId) => digest(keyId, name, kind, value)) : [];
    return {
      account: digest(activeKeyId, shared),
      source: digest(activeKeyId, name, from.address),
      browser: known("browser", from.browser),
      network: known("network", from.network),
      isOfLink: from.isOfLink,
      ...this.#nameProbe(from.network, from.typedAddress ?? ""),
    };
  }

  /** For a look at an address, without an account. */
  identifyProbe(network: string, typedAddress: string): SignInAttempt {
    const probe = this.#nameProbe(network, typedAddress);
    return { account: "", source: "", browser: [], network: [], isOfLink: false, ...probe };
  }

  #nameProbe(network: string, typedAddress: string): Pick<SignInAttempt, "prober" | "probed"> {
    if (network === "" || typedAddress === "") return { prober: "", probed: "" };
    const { keyring } = this.#dependencies;
    return {
      prober: keyring.pseudonym(`prober ${network}`),
      probed: keyring.pseudonym(`probed ${network} ${canonicalAddress(typedAddress)}`),
    };
  }

  /**
   * An admitted attempt counts as refused until `withdraw` or `recordSuccess`. One that probes an address counts for its
   * network, too, until `withdrawProbe`.
   */
  async admit(
    attempt: SignInAttempt,
    flow: ThrottledFlow,
    { isProbe = false }: { isProbe?: boolean } = {},
  ): Promise<Admission> {
    const { pool } = this.#dependencies;
    const { admission, news } = await transaction(pool, async (tx) => {
      const decided =
        isProbe && attempt.prober !== ""
          ? await this.#admitProbe(tx, attempt, flow)
          : await this.#admitAttempt(tx, attempt, flow);
      const { guessed } = decided;
      const isNews = guessed && (await this.#record(tx, guessed, attempt, flow));
      return { admission: decided.admission, news: isNews ? guessed : undefined };
    });
    if (news) this.#tell(attempt, flow, news);
    return admission;
  }

  /** The attempt was not made. */
  async withdrawAll(attempt: SignInAttempt): Promise<void> {
    await this.withdraw(attempt);
    await this.withdrawProbe(attempt);
  }

  /** The system was found at the address. */
  async withdrawProbe({ counted }: SignInAttempt): Promise<void> {
    await store.uncountInHours(this.#dependencies.pool, counted?.probes);
  }

  /** The attempt ended without a refusal. */
  async withdraw({ counted }: SignInAttempt): Promise<void> {
    if (!counted) return;
    const { pool } = this.#dependencies;
    if (counted.source) await store.uncountAtSource(pool, counted.source);
    await store.uncountInHours(pool, counted.hours);
  }

  /** Also clears the earlier refusals of its source, and remembers where it came from. */
  async recordSuccess(attempt: SignInAttempt): Promise<void> {
    const { pool } = this.#dependencies;
    const { counted, source, browser, network } = attempt;
    await store.forgetSources(pool, [source, counted?.source?.source ?? source]);
    await store.uncountInHours(pool, counted?.hours);
    await this.withdrawProbe(attempt);
    await store.rememberSources(pool, [...browser.slice(0, 1), ...network.slice(0, 1)]);
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    await store.removeForgotten(this.#dependencies.pool, signal);
  }

  /** Counts the address for its network, when the attempt is admitted. */
  async #admitProbe(
    tx: Transaction,
    attempt: SignInAttempt,
    flow: ThrottledFlow,
  ): Promise<Decision> {
    const probes = await this.#countProbe(tx, attempt);
    if (!probes) return { admission: { kind: "refused", isOfNetwork: true } };
    if (attempt.account === "")
      return { admission: { kind: "admitted", counted: { hours: [], probes } } };
    const decided = await this.#admitAttempt(tx, attempt, flow);
    const { admission } = decided;
    if (admission.kind !== "admitted") {
      await store.uncountInHours(tx, probes);
      return decided;
    }
    const counted = { hours: [], ...admission.counted, probes };
    return { ...decided, admission: { ...admission, counted } };
  }

  /** An address counts once for the network, however often it is tried. Undefined when an hour has no room. */
  async #countProbe(
    tx: Transaction,
    { prober, probed }: SignInAttempt,
  ): Promise<readonly store.CountedInHour[] | undefined> {
    const ofAddress = await store.countInHour(tx, hourOf("probed", probed), mostTriesOfOne);
    if (!ofAddress) return undefined;
    if (ofAddress.attempts > 1) return [ofAddress];
    const ofNetwork = await store.countInHour(tx, hourOf("probes", prober), mostProbes);
    if (ofNetwork) return [ofAddress, ofNetwork];
    await store.uncountInHours(tx, [ofAddress]);
    return undefined;
  }

  async #admitAttempt(
    tx: Transaction,
    attempt: SignInAttempt,
    flow: ThrottledFlow,
  ): Promise<Decision> {
    return (await this.#admitOfLink(tx, attempt, flow)) ?? (await this.#admitOther(tx, attempt));
  }

  /** Undefined when the link has no attempts of its own, or no more. Its sign-in ends before their hour does. */
  async #admitOfLink(
    tx: Transaction,
    { account, isOfLink }: SignInAttempt,
    { linkDigest, clientId, tokenId }: ThrottledFlow,
  ): Promise<Decision | undefined> {
    if (!linkDigest || !isOfLink) return undefined;
    const ofLink = await store.countInHour(
      tx,
      hourOf("link", linkDigest.toString("base64url")),
      mostOfLink,
    );
    if (!ofLink) return undefined;
    const maker = tokenId ? ["token", tokenId] : ["client", clientId];
    const ofLinks = await store.countInHour(tx, hourOf(account, ...maker), mostOfLinks);
    if (!ofLinks) {
      await store.uncountInHours(tx, [ofLink]);
      return undefined;
    }
    return {
      admission: { kind: "admitted", counted: { hours: [ofLink, ofLinks] } },
      ...(ofLinks.attempts > mostInHour && {
        guessed: { hour: ofLinks.hour, by: "one-time-links" },
      }),
    };
  }

  /** Counts the attempt in the first hour that has room: that of its browser, of its network, of everybody. */
  async #admitOther(tx: Transaction, attempt: SignInAttempt): Promise<Decision> {
    const { account, browser, network } = attempt;
    const known = await store.findKnownSources(tx, [...browser, ...network]);
    const ofBrowser = browser.find((digest) => known.has(digest));
    const ofNetwork = network.find((digest) => known.has(digest));
    const source = await store.countAtSource(tx, ofBrowser ?? attempt.source);
    if ("afterSeconds" in source) return { admission: { kind: "paused", ...source } };
    for (const hour of [ofBrowser, ofNetwork, account]) {
      const counted = hour && (await store.countInHour(tx, hour, mostInHour));
      if (counted)
        return { admission: { kind: "admitted", counted: { hours: [counted], source } } };
    }
    await store.uncountAtSource(tx, source);
    return { admission: { kind: "refused" }, guessed: { hour: account, by: "anybody" } };
  }

  /** True for the first one in an hour. */
  async #record(
    tx: Transaction,
    { hour, by }: Guessed,
    attempt: SignInAttempt,
    flow: ThrottledFlow,
  ): Promise<boolean> {
    if (!(await store.noteTold(tx, hour))) return false;
    await this.#dependencies.audit.record(tx, "sign-in.throttled", {
      clientId: flow.clientId || undefined,
      tokenId: flow.tokenId ?? undefined,
      detail: { provider: flow.provider ?? "", account: pseudonymOf(attempt), by },
    });
    return true;
  }

  #tell(attempt: SignInAttempt, flow: ThrottledFlow, { by }: Guessed): void {
    const { log, metrics } = this.#dependencies;
    const { id: flowId, clientId, provider } = flow;
    metrics.guessedAccounts.inc({ provider: provider ?? "none" });
    log.warn(
      { flowId, clientId, provider, account: pseudonymOf(attempt) },
      by === "one-time-links"
        ? "an account had more than 20 attempts within an hour by one-time links of one client; from 60 on they count as those of strangers"
        : "an account had 20 attempts within an hour; those of strangers are refused until there is room",
    );
  }
}

function hourOf(...name: string[]): string {
  return sha256(JSON.stringify(name)).toString("base64url");
}

/** A name for the account in the log and in the audit record, from which nobody can find the account. */
function pseudonymOf({ account }: SignInAttempt): string {
  return account.slice(0, 16);
}
