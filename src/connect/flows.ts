import { v7 as uuidv7 } from "uuid";
import type { Client, Clients } from "../clients/index.ts";
import type { SignIn } from "../connections/index.ts";
import { InvalidRequest } from "../errors.ts";
import { addSeconds, secondsBetween, type Clock } from "../platform/clock.ts";
import {
  mintCredential,
  sha256,
  type DataKey,
  type Environment,
  type Keyring,
} from "../platform/crypto/index.ts";
import { transaction, type Listener, type Pool } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import type { Connect, SignInRequest } from "./connect.ts";
import { flowLifetimeSeconds, type Flow } from "./flow.ts";
import { createFlowKey, flowSecrets, openFlowKey, type Prefill } from "./flow-secrets.ts";
import * as store from "./flow-store.ts";
import type { Link } from "./link.ts";
import { isRegisteredRedirect } from "./redirect-match.ts";
import {
  redirectWithCode,
  redirectWithError,
  redirectWithoutCode,
  type RedirectError,
} from "./redirect.ts";
import { signInQueue } from "./sign-in-job.ts";

export interface FlowsDependencies {
  pool: Pool;
  clock: Clock;
  keyring: Keyring;
  environment: Environment;
  listener: Listener;
  queue: JobQueue;
  registry: ProviderRegistry;
  clients: Clients;
  connect: Connect;
  /** The service's own address, named in every redirect (RFC 9207). */
  issuer: string;
}

export interface NewFlow {
  client: Client;
  link: Link;
  redirectUri: string;
  /** As in the link, still encoded. */
  rawState: string | undefined;
}

/** What a browser that comes with a one-time link gets. */
export type OpenedLink =
  { kind: "flow"; flow: Flow } | { kind: "used" | "expired"; locale: string | null };

/** What a browser that comes with a flow's address gets. */
export type Visit =
  { kind: "flow"; flow: Flow } | { kind: "unknown" } | { kind: "expired"; locale: string | null };

/** So long after its end a flow sends the same browser back once more: a reply may have been lost on its way. */
const redirectRepeatedSeconds = 60;
/** A sign-in that a worker took up and did not end by then was cut off. */
const cutOffAfterSeconds = 120;
const reEnqueueAfterSeconds = 5;

/** Walks through the hosted sign-in: each step moves a flow on once, whatever a browser sends twice. */
export class Flows {
  readonly #dependencies: FlowsDependencies;

  constructor(dependencies: FlowsDependencies) {
    this.#dependencies = dependencies;
  }

  /** From a link that the client made itself; it belongs to the browser that came with it. */
  async start(flow: NewFlow, browser: string): Promise<string> {
    const { id } = await this.#insert(flow, {
      browserDigest: sha256(browser),
      linkDigest: null,
      tokenId: null,
      lifetimeSeconds: flowLifetimeSeconds,
    });
    return id;
  }

  /** A one-time link, made on the client's request. With `tokenId` it re-authenticates that token. */
  async createSession(
    flow: NewFlow,
    { lifetimeSeconds, tokenId }: { lifetimeSeconds: number; tokenId: string | null },
  ): Promise<{ id: string; credential: string; expiresAt: Date }> {
    const credential = mintCredential("ln", this.#dependencies.environment);
    const created = await this.#insert(flow, {
      browserDigest: null,
      linkDigest: sha256(credential),
      tokenId,
      lifetimeSeconds,
    });
    return { ...created, credential };
  }

  /** The flow of a one-time link, for the first browser that comes with it, and as long as any sign-in. A link that is in no table any more has expired. */
  async openLink(credential: string, browser: string): Promise<OpenedLink> {
    const { pool, clock } = this.#dependencies;
    const linkDigest = sha256(credential);
    const now = clock.now();
    const claimed = await store.claimLink(pool, {
      linkDigest,
      browserDigest: sha256(browser),
      now,
      expiresAt: addSeconds(now, flowLifetimeSeconds),
    });
    if (claimed) return { kind: "flow", flow: claimed };
    const link = await store.findLink(pool, linkDigest);
    return {
      kind: link && link.expiresAt > now ? "used" : "expired",
      locale: link?.locale ?? null,
    };
  }

  async visit(id: string, browser: string | undefined): Promise<Visit> {
    const { pool, clock } = this.#dependencies;
    const flow = await store.findFlow(pool, id);
    if (!flow || !browser || !flow.browserDigest?.equals(sha256(browser)))
      return { kind: "unknown" };
    if (flow.expiresAt <= clock.now()) return { kind: "expired", locale: flow.locale };
    return { kind: "flow", flow: flow.phase === "running" ? await this.#attend(flow) : flow };
  }

  /** Resolves when the provider has answered, or after `ms`. */
  async waitForProvider(flow: Flow, ms: number): Promise<void> {
    const { pool, listener } = this.#dependencies;
    const enough = new AbortController();
    const heard = listener.waitFor(flow.id, ms, enough.signal);
    const current = await store.findFlow(pool, flow.id);
    if (current?.step !== flow.step) enough.abort();
    await heard;
  }

  async choose(flow: Flow, provider: string): Promise<void> {
    await this.#advance(flow, { phase: "form", provider, refusal: null });
  }

  async chooseAgain(flow: Flow): Promise<void> {
    await this.#advance(flow, {
      phase: "choosing",
      provider: null,
      refusal: null,
      prefill: null,
      challenge: null,
    });
  }

  async refuseField(flow: Flow, field: string, prefill: Prefill): Promise<void> {
    await this.#advance(flow, {
      phase: "form",
      refusal: { kind: "field", field },
      prefill: flowSecrets.prefill.seal(this.key(flow), flow.id, prefill),
    });
  }

  /** Hands the typed answers, sealed, to a worker. Nothing happens when the form was sent before. */
  async submit(
    flow: Flow,
    formValues: Readonly<Record<string, string>>,
    prefill: Prefill,
  ): Promise<void> {
    const moved = await this.#advance(flow, {
      phase: "running",
      refusal: null,
      submission: flowSecrets.submission.seal(this.key(flow), flow.id, { formValues }),
      prefill: flowSecrets.prefill.seal(this.key(flow), flow.id, prefill),
      challenge: null,
      claimedAt: this.#dependencies.clock.now(),
    });
    if (moved) await this.#enqueue(moved);
  }

  /** The same for the answer to a provider's challenge. */
  async submitOtp(flow: Flow, otp: string): Promise<void> {
    const submission = flowSecrets.submission.seal(this.key(flow), flow.id, { otp });
    const moved = await this.#advance(flow, {
      phase: "running",
      refusal: null,
      submission,
      claimedAt: this.#dependencies.clock.now(),
    });
    if (moved) await this.#enqueue(moved);
  }

  /** Where the browser goes when the end user does not want to, or cannot, go on. */
  async decline(flow: Flow): Promise<string> {
    await this.#checkRedirect(flow);
    const phase = flow.phase === "failed" ? "failed" : "declined";
    const moved = await this.#advance(flow, {
      phase,
      submission: null,
      prefill: null,
      challenge: null,
      signIn: null,
      finishedAt: this.#dependencies.clock.now(),
    });
    return this.redirectWithError(
      moved ?? flow,
      "access_denied",
      flow.phase === "failed" ? "the provider refused the sign-in" : "the end user declined",
    );
  }

  /** Sends a signed-in browser back, with a code that is made at this moment. Undefined when another request was first. */
  async finish(flow: Flow): Promise<string | undefined> {
    const { pool, clock, connect } = this.#dependencies;
    const signIn = flowSecrets.signIn.open(this.key(flow), flow);
    const client = await this.#checkRedirect(flow);
    if (!signIn || !flow.provider)
      return this.redirectWithError(flow, "server_error", "the sign-in could not be completed");
    const request: SignInRequest = {
      provider: flow.provider,
      mode: flow.mode,
      scopes: flow.scopes,
    };
    return await transaction(pool, async (tx) => {
      const held = await store.advanceFlow(tx, flow, {
        phase: "finished",
        signIn: null,
        prefill: null,
        challenge: null,
        finishedAt: clock.now(),
      });
      if (!held) return undefined;
      const redirect = await this.#complete(tx, flow, client, request, signIn, connect);
      await store.advanceFlow(tx, held, {
        phase: "finished",
        redirect: flowSecrets.redirect.seal(this.key(flow), flow.id, redirect),
      });
      return redirect;
    });
  }

  /** The redirect of a flow that has just ended, for a browser that did not get it. */
  repeatedRedirect(flow: Flow): string | undefined {
    const isRecent =
      flow.finishedAt &&
      secondsBetween(flow.finishedAt, this.#dependencies.clock.now()) <= redirectRepeatedSeconds;
    return isRecent ? flowSecrets.redirect.open(this.key(flow), flow) : undefined;
  }

  redirectWithError(flow: Flow, error: RedirectError, description: string): string {
    return redirectWithError(this.#target(flow), error, description);
  }

  async setLocale(flow: Flow, locale: string): Promise<void> {
    await store.setLocale(this.#dependencies.pool, flow.id, locale);
  }

  /** Binds a form to the flow and to the browser that it was shown to. */
  formToken(flow: Flow): string {
    return this.key(flow)
      .mac("digest", "form", flow.browserDigest ?? "")
      .toString("base64url");
  }

  async removeExpired(): Promise<void> {
    await store.deleteExpiredFlows(this.#dependencies.pool, this.#dependencies.clock.now());
  }

  async #complete(
    tx: Parameters<Connect["complete"]>[0],
    flow: Flow,
    client: Client,
    request: SignInRequest,
    signIn: SignIn,
    connect: Connect,
  ): Promise<string> {
    if (flow.tokenId) {
      await connect.reauthenticate(tx, flow.tokenId, signIn);
      return redirectWithoutCode(this.#target(flow));
    }
    const { code } = await connect.complete(tx, client, request, {
      redirectUri: flow.redirectUri,
      codeChallenge: flow.codeChallenge,
      signIn,
    });
    return redirectWithCode(this.#target(flow), code);
  }

  /** Rings again for a sign-in that nobody took up, and ends one that was cut off. */
  async #attend(flow: Flow): Promise<Flow> {
    const age = flow.claimedAt ? secondsBetween(flow.claimedAt, this.#dependencies.clock.now()) : 0;
    if (flow.sealed.submission) {
      if (age > reEnqueueAfterSeconds) await this.#enqueue(flow);
      return flow;
    }
    if (age <= cutOffAfterSeconds) return flow;
    return (
      (await this.#advance(flow, {
        phase: "form",
        refusal: { kind: "interrupted" },
        challenge: null,
      })) ?? flow
    );
  }

  async #insert(
    { client, link, redirectUri, rawState }: NewFlow,
    {
      browserDigest,
      linkDigest,
      tokenId,
      lifetimeSeconds,
    }: {
      browserDigest: Buffer | null;
      linkDigest: Buffer | null;
      tokenId: string | null;
      lifetimeSeconds: number;
    },
  ): Promise<{ id: string; expiresAt: Date }> {
    const { pool, clock, keyring, registry } = this.#dependencies;
    const now = clock.now();
    const id = uuidv7({ msecs: now.getTime() });
    const { dataKey, wrapped } = createFlowKey(keyring, id);
    const offered = listOffered(registry, link);
    const provider = link.provider ?? (offered.length === 1 ? offered[0]?.name : undefined) ?? null;
    const expiresAt = addSeconds(now, lifetimeSeconds);
    await store.insertFlow(pool, {
      id,
      tokenId,
      browserDigest,
      linkDigest,
      provider,
      redirectUri,
      expiresAt,
      clientId: client.clientId,
      mode: link.mode,
      scopes: link.scopes,
      codeChallenge: link.codeChallenge,
      tags: link.tags,
      isSandbox: link.isSandbox,
      isProviderFixed: provider !== null,
      locale: link.locale,
      phase: provider === null ? "choosing" : "form",
      wrappedKey: wrapped,
      sealedState: rawState === undefined ? null : flowSecrets.state.seal(dataKey, id, rawState),
      createdAt: now,
    });
    return { id, expiresAt };
  }

  async #advance(flow: Flow, change: store.FlowChange): Promise<Flow | undefined> {
    return await store.advanceFlow(this.#dependencies.pool, flow, change);
  }

  async #enqueue(flow: Flow): Promise<void> {
    await this.#dependencies.queue.enqueue(signInQueue, `${flow.id}-${flow.step}`, {
      flowId: flow.id,
      step: String(flow.step),
    });
  }

  /** The client may have given the address up since the link was made: then nothing leads there any more. */
  async #checkRedirect({ clientId, redirectUri }: Flow): Promise<Client> {
    const client = await this.#dependencies.clients.find(clientId);
    if (!client || !isRegisteredRedirect(client.redirectUris, redirectUri))
      throw new InvalidRequest("redirect_uri: is not registered for this client");
    return client;
  }

  #target(flow: Flow) {
    return {
      redirectUri: flow.redirectUri,
      rawState: flowSecrets.state.open(this.key(flow), flow),
      issuer: this.#dependencies.issuer,
    };
  }

  key(flow: Flow): DataKey {
    return openFlowKey(this.#dependencies.keyring, flow);
  }
}

/** The providers that an end user of this link may choose from. The simulated one is offered only when it is asked for. */
export function listOffered(
  registry: ProviderRegistry,
  { mode, tags, isSandbox }: Pick<Link, "mode" | "tags" | "isSandbox">,
): { name: string; title: string }[] {
  return registry
    .list()
    .filter(
      ({ name, modes, tags: own = [] }) =>
        modes[mode] && (name === "sandbox") === isSandbox && tags.every((tag) => own.includes(tag)),
    )
    .map(({ name, title }) => ({ name, title }))
    .sort((a, b) => a.title.localeCompare(b.title, "en"));
}
