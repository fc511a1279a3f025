// Trying again what failed. `retry` is the loop: transactions that lost, migrations, steps of a start, requests to
// providers, workers of the queue, the queue of `rollcall status`. `doubled` are delays that grow: of those, of the
// embedded Postgres, of a socket to Redis, of a provider that wants us to wait. `jittered` are those of a list:
// reads and webhooks, whose next try is a time in their row. The queue's own delays are those of BullMQ, and the
// pauses of quotas are doubled in the statement that all processes share (reading/quotas/quota-store.ts).
export { doubled, jittered } from "./delays.ts";
export { retry } from "./retry.ts";
