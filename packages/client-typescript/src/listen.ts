import type { Delivery } from "./api.ts";
import { RollcallError } from "./errors.ts";
import type { Rollcall } from "./rollcall.ts";
import { signWebhook } from "./webhooks.ts";

/** A webhook or an event that was posted to this machine. */
export interface Forwarded {
  id: string;
  type: string;
  /** What the address answered; null when it did not. */
  status: number | null;
}

interface ListenOptions {
  rollcall: Rollcall;
  secret: string;
  to: string;
  /** Ends after so many. */
  count: number;
  /** 40 requests in five minutes are allowed by default: one in 8 seconds. */
  everySeconds: number;
  signal: AbortSignal;
  note: (line: string) => void;
  onForwarded: (forwarded: Forwarded) => void;
}

interface Message {
  id: string;
  type: string;
  body: string;
  token?: string | undefined;
  /** What the client calls the connection. */
  reference?: string | null | undefined;
}

const postMs = 10_000;
/** For each call: a rate limit, whose window is five minutes, is waited out. */
const deadlineSeconds = 600;

/**
 * Posts what is new to an address of this machine, signed as the service signs it: events, and the webhooks of sandbox
 * connections, which alone show their body. Ends with the count or the signal.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const ended = new AbortController();
  options.signal.addEventListener("abort", () => ended.abort());
  let left = options.count;
  const post = async (message: Message): Promise<void> => {
    if (ended.signal.aborted) return;
    const status = await postTo(options.to, message, options.secret);
    options.onForwarded({ id: message.id, type: message.type, status });
    left -= 1;
    if (left <= 0) ended.abort();
  };
  const { signal } = ended;
  const following = [followDeliveries(options, signal, post), followEvents(options, signal, post)];
  try {
    await Promise.all(following);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    ended.abort();
    await Promise.allSettled(following);
  }
}

type Post = (message: Message) => Promise<void>;

async function followDeliveries(
  { rollcall, everySeconds, note, to }: ListenOptions,
  signal: AbortSignal,
  post: Post,
): Promise<void> {
  let newest = (await newerThan(rollcall, undefined, signal))[0]?.id ?? "";
  note(`Forwarding new webhooks of the sandbox, and events, to ${to} (end with Ctrl-C)`);
  while (!signal.aborted) {
    for (const { id, token, event } of (await newerThan(rollcall, newest, signal)).toReversed()) {
      newest = id;
      // Events are followed by themselves, also those that are sent to no address.
      if (event !== null) continue;
      const { body } = await rollcall.delivery(id, { signal, deadlineSeconds });
      if (body === null || token === null) continue;
      const { reference } = await rollcall.token(token, { signal, deadlineSeconds });
      await post({ id, type: "employees.changed", body, token, reference });
    }
    await pause(everySeconds, signal);
  }
}

/** Newest first. Without an id the newest alone. */
async function newerThan(rollcall: Rollcall, id: string | undefined, signal: AbortSignal) {
  const newer: Delivery[] = [];
  for await (const delivery of rollcall.deliveries(
    { limit: id === undefined ? 1 : 50 },
    { signal, deadlineSeconds },
  )) {
    if (id !== undefined && delivery.id <= id) break;
    newer.push(delivery);
    if (id === undefined) break;
  }
  return newer;
}

/** What happened before is passed over. A service that has no events yet answers 404. */
async function followEvents(
  { rollcall }: ListenOptions,
  signal: AbortSignal,
  post: Post,
): Promise<void> {
  let after: string | undefined;
  const onPage = (next: string): void => void (after = next);
  try {
    for await (const _old of rollcall.events({ limit: 1_000, signal, onPage }));
    for await (const event of rollcall.events({ after, isFollowing: true, signal })) {
      const { id, ...body } = event;
      const { token, reference } = "token" in event.data ? event.data : {};
      await post({ id, type: event.type, body: JSON.stringify(body), token, reference });
    }
  } catch (error) {
    if (!(error instanceof RollcallError && error.code === "not_found")) throw error;
  }
}

async function postTo(to: string, { body, ...message }: Message, secret: string) {
  const headers = await signWebhook({ ...message, body }, { secret });
  const signal = AbortSignal.timeout(postMs);
  const reply = await fetch(to, { method: "POST", headers, body, signal }).catch(() => undefined);
  await reply?.body?.cancel();
  return reply?.status ?? null;
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
