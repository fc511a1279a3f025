import { addSeconds } from "../../platform/clock.ts";
import { isSameDigest, sha256 } from "../../platform/crypto/index.ts";
import { createSiteSender, type SiteSender } from "../../platform/outbound/index.ts";
import type { ConsoleSessions, SessionDependencies } from "../sessions.ts";
import { attemptSeconds, openAttempt, sealAttempt, type Attempt } from "./attempt.ts";
import type { OperatorIssuer } from "./is-operator.ts";
import type { Issuer } from "./issuer.ts";
import { SignInRefusal, toRefusal } from "./sign-in-refusal.ts";

interface OrganisationDependencies extends Pick<SessionDependencies, "keyring" | "clock"> {
  sessions: ConsoleSessions;
  settings: OperatorIssuer;
  redirectUri: string;
}

/** Descriptions of issuers and lists of keys have a few thousand bytes. */
const mostBytes = 512 * 1024;
/** After it the issuer is asked again how it describes itself. */
const knownSeconds = 3_600;

/**
 * The sign-in of operators by the issuer of their organisation. Nothing is asked of the issuer, and the library is not
 * loaded, before somebody wants to sign in by it. Its methods throw SignInRefusal.
 */
export class Organisation {
  readonly #dependencies: OrganisationDependencies;
  readonly #sender: SiteSender;
  #known: { issuer: Promise<Issuer>; until: Date } | undefined;

  constructor(dependencies: OrganisationDependencies) {
    this.#dependencies = dependencies;
    const { origin } = new URL(dependencies.settings.url);
    this.#sender = createSiteSender(origin, { maxBytes: mostBytes });
  }

  /** The address of the issuer to send the browser to, and what its cookie has to keep meanwhile. */
  async begin(to: string): Promise<{ address: string; attempt: string }> {
    const { keyring, clock, settings } = this.#dependencies;
    const issuer = await this.#findIssuer();
    const { makeProofs } = await loadIssuer();
    const proofs = makeProofs();
    const expiresAt = addSeconds(clock.now(), attemptSeconds).toISOString();
    return {
      address: await issuer.authorizationAddress(proofs),
      attempt: sealAttempt(keyring, settings.url, { ...proofs, to, expiresAt }),
    };
  }

  /** The cookie of a new session for who came back from the issuer, and the page to go to. */
  async finish(
    query: string,
    cookie: string | undefined,
  ): Promise<{ session: string; to: string }> {
    const { sessions } = this.#dependencies;
    const attempt = this.#openAttempt(new URLSearchParams(query).get("state"), cookie);
    const issuer = await this.#findIssuer();
    const { subject, standing } = await issuer.redeem(query, attempt).catch((error: unknown) => {
      throw toRefusal(error);
    });
    const operator = this.#nameOf(subject);
    if (standing !== "operator") throw new SignInRefusal(standing, { operator });
    const session = await sessions.beginForOperator(operator, {
      digest: sha256(attempt.state),
      expiresAt: new Date(attempt.expiresAt),
    });
    if (session === undefined) throw new SignInRefusal("used", { operator });
    return { session, to: attempt.to };
  }

  async close(): Promise<void> {
    await this.#sender.close();
  }

  /** The one that this browser began, a moment ago. */
  #openAttempt(state: string | null, cookie: string | undefined): Attempt {
    const { keyring, clock, settings } = this.#dependencies;
    const attempt = cookie === undefined ? undefined : openAttempt(keyring, settings.url, cookie);
    if (!attempt) throw new SignInRefusal("state", { problem: "no attempt of this browser" });
    if (state === null || !isSameDigest(sha256(state), sha256(attempt.state)))
      throw new SignInRefusal("state", { problem: "the state of another attempt" });
    if (new Date(attempt.expiresAt) <= clock.now())
      throw new SignInRefusal("state", { problem: "the attempt has expired" });
    return attempt;
  }

  /** As the audit record has it. A `sub` that may be an address, or breaks a line, is replaced by a name for it. */
  #nameOf(subject: string): string {
    const { keyring, settings } = this.#dependencies;
    const shown = /^[!-?A-~]{1,255}$/.test(subject)
      ? subject
      : `pseudonym ${keyring.pseudonym(`console subject ${subject}`)}`;
    return `${settings.url} ${shown}`;
  }

  /** All who come meanwhile wait for the same answer. A failure is forgotten, so that the next one asks again. */
  async #findIssuer(): Promise<Issuer> {
    const { clock } = this.#dependencies;
    if (this.#known && this.#known.until > clock.now()) return await this.#known.issuer;
    const known = { issuer: this.#discover(), until: addSeconds(clock.now(), knownSeconds) };
    this.#known = known;
    try {
      return await known.issuer;
    } catch (error) {
      if (this.#known === known) this.#known = undefined;
      throw error;
    }
  }

  async #discover(): Promise<Issuer> {
    const { settings, redirectUri } = this.#dependencies;
    const { Issuer: Discovered } = await loadIssuer();
    try {
      return await Discovered.discover(settings, { redirectUri, sender: this.#sender });
    } catch (error) {
      throw toRefusal(error);
    }
  }
}

/** With the library, which a service without this sign-in never loads. */
const loadIssuer = async () => await import("./issuer.ts");
