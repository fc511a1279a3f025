import { setTimeout as delay } from "node:timers/promises";
import type { VendorProgram } from "../support/vendors/vendor-program.ts";
import { connectAccount, createClient, openForm, sendForm, untilAnswered } from "./accounts.ts";
import { askUntilEnded, describeEnd, type Ended } from "./asking.ts";
import type { Stage } from "./stage.ts";

export interface NeighbourTimes {
  readsMs: number[];
  signInsMs: number[];
  /** What did not end as it should. */
  failures: string[];
}

export interface Neighbour {
  /** Reads and signs in, one round after the other. */
  use(goesOn: (rounds: number) => boolean): Promise<NeighbourTimes>;
}

const limitMs = 60_000;
/** Longer than a socket is kept open, so that each round looks the name up. */
const pauseMs = 5_000;

/** Another client with an honest vendor, found by name. Each of its reads is new when stored data is fresh for 1 s. */
export async function connectNeighbour(stage: Stage, vendor: VendorProgram): Promise<Neighbour> {
  const url = vendor.url.replace("127.0.0.1", "localhost");
  const client = await createClient(stage);
  const account = await connectAccount(stage, client, { url, username: "neighbour" });
  let count = 0;
  return {
    use: async (goesOn) => {
      const times: NeighbourTimes = { readsMs: [], signInsMs: [], failures: [] };
      for (let rounds = 0; goesOn(rounds); rounds += 1) {
        await delay(pauseMs, undefined, { signal: stage.signal });
        const read = await askUntilEnded(stage, account, { limitMs }).catch(asFailedRead);
        if (read.status === 200) times.readsMs.push(read.tookMs);
        else noteFailure(times, "readsMs", `its read ended ${describeEnd(read)}`);
        count += 1;
        const signIn = { url, username: `neighbour-${count}`, network: "192.0.2.9" };
        const { isDone, tookMs } = await timeSignIn(stage, client, signIn).catch(asFailedSignIn);
        if (isDone) times.signInsMs.push(tookMs);
        else noteFailure(times, "signInsMs", "its sign-in did not succeed");
        stage.signal.throwIfAborted();
      }
      return times;
    },
  };
}

/** From the moment the form is sent to the redirect with the code. */
export async function timeSignIn(
  stage: Stage,
  client: Parameters<typeof openForm>[1],
  signIn: Parameters<typeof sendForm>[1],
): Promise<{ isDone: boolean; tookMs: number }> {
  const form = await openForm(stage, client, signIn);
  const startedAt = performance.now();
  const page = await sendForm(form, signIn);
  const last = await untilAnswered(stage, form.visitor, page, limitMs);
  return { isDone: last.left !== undefined, tookMs: performance.now() - startedAt };
}

/** What fails counts as long as the longest patience. */
function noteFailure(times: NeighbourTimes, kind: "readsMs" | "signInsMs", failure: string): void {
  times[kind].push(limitMs);
  times.failures.push(failure);
}

function asFailedRead(error: unknown): Ended {
  return { status: 0, message: String(error), bytes: 0, tookMs: limitMs };
}

function asFailedSignIn(): { isDone: boolean; tookMs: number } {
  return { isDone: false, tookMs: limitMs };
}
