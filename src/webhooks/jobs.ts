import { z } from "zod";
import type { ConnectionId } from "../model/index.ts";
import type { JobDefinition } from "../platform/queue/index.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { deliveryQueue } from "./enqueue-delivery.ts";
import { runDelivery } from "./run-delivery.ts";
import { runPoll } from "./run-poll.ts";
import { pollQueue } from "./schedule-polls.ts";

const deliveriesAtOnce = 32;
const pollsAtOnce = 16;

export interface PolledProvider {
  name: string;
  /** The provider's own limit. */
  concurrency: number | undefined;
}

/** One kind of poll job for each provider, with the provider's own limit, and one kind of delivery job. */
export function webhookJobs(
  dependencies: WebhookDependencies,
  {
    providers,
    workerConcurrency,
  }: { providers: readonly PolledProvider[]; workerConcurrency: number },
): JobDefinition<never>[] {
  const polls = providers.map(({ name, concurrency = pollsAtOnce }) => ({
    name: pollQueue(name),
    payload: z.object({ connectionId: z.uuid() }),
    concurrency: Math.min(concurrency, workerConcurrency),
    run: ({ connectionId }: { connectionId: ConnectionId }, signal: AbortSignal) =>
      runPoll(dependencies, connectionId, signal),
  }));
  const deliver = {
    name: deliveryQueue,
    payload: z.object({ deliveryId: z.uuid() }),
    concurrency: deliveriesAtOnce,
    run: ({ deliveryId }: { deliveryId: string }) => runDelivery(dependencies, deliveryId),
  };
  return [...polls, deliver] as unknown as JobDefinition<never>[];
}
