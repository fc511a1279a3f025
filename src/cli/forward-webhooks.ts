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

const lookIntervalMs = 1_000;
const postTimeoutMs = 10_000;
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
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort());
  let newest = (await list(service, 1))[0]?.id ?? "";
  process.stderr.write(`Forwarding new webhooks of the sandbox to ${to.href} (end with Ctrl-C)\n`);
  for (let left = count; left > 0 && !ended.signal.aborted;) {
    const fresh = (await list(service, 50)).filter(({ id }) => id > newest).toReversed();
    for (const delivery of fresh) {
      newest = delivery.id;
      const status = await forwardOne(service, to, delivery);
      if (status === undefined) continue;
      onForwarded({ ...delivery, status });
      left -= 1;
      if (left <= 0) return;
    }
    await delay(lookIntervalMs, undefined, { signal: ended.signal }).catch(() => undefined);
  }
}

async function list(service: HostedService, limit: number): Promise<ListedDelivery[]> {
  const { body } = await service.ask("GET", `${deliveries}?limit=${limit}`);
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
): Promise<number | null | undefined> {
  const { body } = (await service.ask("GET", `${deliveries}/${id}`)).body as {
    body: string | null;
  };
  if (body === null) return undefined;
  const bytes = Buffer.from(body);
  const at = systemClock.now();
  const reference = event === null ? await referenceOf(service, tokenId) : referenceIn(body);
  const signed = { id, tokenId, reference, body: bytes, secrets: [service.secret], at };
  const headers = event === null ? signedHeaders(signed) : signedEventHeaders(signed);
  const signal = AbortSignal.timeout(postTimeoutMs);
  const response = await fetch(to, { method: "POST", headers, body: bytes, signal }).catch(
    () => undefined,
  );
  await response?.body?.cancel();
  return response?.status ?? null;
}

/** What the client calls the connection. Null when it has ended meanwhile. */
async function referenceOf(service: HostedService, tokenId: string | null): Promise<string | null> {
  if (tokenId === null) return null;
  const { body } = await service.ask("GET", `/management/tokens/${tokenId}`);
  return (body as { reference?: string | null }).reference ?? null;
}

function referenceIn(body: string): string | null {
  const { data } = JSON.parse(body) as { data: { reference?: string | null } };
  return data.reference ?? null;
}
