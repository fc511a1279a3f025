import { setTimeout as delay } from "node:timers/promises";
import { signedEventHeaders, signedHeaders } from "../webhooks/index.ts";
import { systemClock } from "../platform/clock.ts";
import type { HostedService } from "./hosted-service.ts";

/** A delivery as the service lists it. */
interface ListedDelivery {
  id: string;
  token: string | null;
  /** The type of an event; null for a webhook about employees. */
  event: string | null;
  added: number;
  removed: number;
  updated: number;
}

type ForwardedWebhook = ListedDelivery & {
  /** What the address answered; null when it did not. */
  status: number | null;
};

interface ForwardOptions {
  service: HostedService;
  to: URL;
  /** Ends after so many webhooks. */
  count: number;
  onForwarded: (webhook: ForwardedWebhook) => void;
}

/** A look is a request, and 40 in five minutes are allowed by default: what was quiet is looked at less often. */
const [soonMs, quietMs] = [1_000, 8_000];
const postTimeoutMs = 10_000;
const pageSize = 50;
const deliveries = "/management/deliveries";

/**
 * Looks for webhooks of the client's sandbox connections and posts each to an address of this machine, signed with the
 * client's secret as the service signs. Only those of the sandbox show their body. Ends with the count or a signal.
 */
export async function forwardWebhooks({
  service,
  to,
  count,
  onForwarded,
}: ForwardOptions): Promise<void> {
  const ended = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ended.abort());
  const { signal } = ended;
  try {
    await forward({ service, to, count, onForwarded }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function forward(
  { service, to, count, onForwarded }: ForwardOptions,
  signal: AbortSignal,
): Promise<void> {
  let newest = (await list(service, { limit: 1 }, signal))[0]?.id ?? "";
  process.stderr.write(`Forwarding new webhooks of the sandbox to ${to.href} (end with Ctrl-C)\n`);
  let pauseMs = soonMs;
  for (let left = count; left > 0;) {
    const fresh = await listNewer(service, newest, signal);
    for (const delivery of fresh.toReversed()) {
      newest = delivery.id;
      const status = await forwardOne(service, to, delivery, signal);
      if (status === undefined) continue;
      onForwarded({ ...delivery, status });
      left -= 1;
      if (left <= 0) return;
    }
    pauseMs = fresh.length > 0 ? soonMs : Math.min(1.25 * pauseMs, quietMs);
    await delay(pauseMs, undefined, { signal });
  }
}

/** The newest first, however many there are. */
async function listNewer(
  service: HostedService,
  newest: string,
  signal: AbortSignal,
): Promise<ListedDelivery[]> {
  const newer: ListedDelivery[] = [];
  for (let page = await list(service, { limit: pageSize }, signal); ;) {
    newer.push(...page.filter(({ id }) => id > newest));
    const last = page.at(-1);
    if (!last || page.length < pageSize || last.id <= newest) return newer;
    page = await list(service, { limit: pageSize, after: last.id }, signal);
  }
}

async function list(
  service: HostedService,
  { limit, after }: { limit: number; after?: string },
  signal: AbortSignal,
): Promise<ListedDelivery[]> {
  const behind = after === undefined ? "" : `&after=${after}`;
  const { body } = await service.ask("GET", `${deliveries}?limit=${limit}${behind}`, { signal });
  return (body as ListedDelivery[]).map(({ id, token, event, added, removed, updated }) => ({
    id,
    token,
    event,
    added,
    removed,
    updated,
  }));
}

/** Undefined for a webhook that is not of the sandbox. */
async function forwardOne(
  service: HostedService,
  to: URL,
  { id, token: tokenId, event }: ListedDelivery,
  signal: AbortSignal,
): Promise<number | null | undefined> {
  const { body } = (await service.ask("GET", `${deliveries}/${id}`, { signal })).body as {
    body: string | null;
  };
  if (body === null) return undefined;
  const bytes = Buffer.from(body);
  const at = systemClock.now();
  const reference =
    event === null ? await referenceOf(service, tokenId, signal) : referenceIn(body);
  const signed = { id, tokenId, reference, body: bytes, secrets: [service.secret], at };
  const headers = event === null ? signedHeaders(signed) : signedEventHeaders(signed);
  const limit = AbortSignal.timeout(postTimeoutMs);
  const response = await fetch(to, {
    method: "POST",
    headers,
    body: bytes,
    signal: limit,
  }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? null;
}

/** What the client calls the connection. Null when it has ended meanwhile. */
async function referenceOf(
  service: HostedService,
  tokenId: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (tokenId === null) return null;
  const { body } = await service.ask("GET", `/management/tokens/${tokenId}`, { signal });
  return (body as { reference?: string | null }).reference ?? null;
}

function referenceIn(body: string): string | null {
  const { data } = JSON.parse(body) as { data: { reference?: string | null } };
  return data.reference ?? null;
}
