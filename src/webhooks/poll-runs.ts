import type { ConnectionId } from "../model/index.ts";
import { isDatabaseUnavailable } from "../platform/db/index.ts";
import { Turns } from "../platform/turns.ts";
import { findPoll } from "./poll-store.ts";
import { runPoll, type PollDependencies } from "./run-poll.ts";

/** A poll compares lists and waits for no provider. */
const pollsAtOnce = 8;
/** All polls of one client may wait for one lock. */
const pollsOfOneAtOnce = 6;
const lookUpsAtOnce = 2;

/** The polls that this process runs. */
export class PollRuns {
  readonly #dependencies: PollDependencies;
  readonly #turns = new Turns({ places: pollsAtOnce, placesOfOne: pollsOfOneAtOnce });
  /** Of whose polls they are. A scheduler may begin thousands. */
  readonly #lookUps = new Turns({ places: lookUpsAtOnce });
  readonly #underway = new Set<Promise<void>>();
  readonly #ends = new AbortController();

  constructor(dependencies: PollDependencies) {
    this.#dependencies = dependencies;
  }

  /** Nobody waits for it. The sweeper finds a poll that failed, and one that the end of the process left. */
  begin(connectionId: ConnectionId): void {
    const run = this.#run(connectionId).finally(() => this.#underway.delete(run));
    this.#underway.add(run);
  }

  /** Resolves when none is left to run. */
  async drained(): Promise<void> {
    while (this.#underway.size > 0) await Promise.all(this.#underway);
  }

  /** Lets those end that run, and leaves the others. */
  async stop(): Promise<void> {
    this.#ends.abort();
    await this.drained();
  }

  async #run(connectionId: ConnectionId): Promise<void> {
    const { signal } = this.#ends;
    const { pool } = this.#dependencies;
    try {
      const poll = await this.#lookUps.run({ signal }, () => findPoll(pool, connectionId));
      if (!poll) return;
      const turn = { client: poll.clientId, signal };
      await this.#turns.run(turn, () => runPoll(this.#dependencies, connectionId));
    } catch (error) {
      if (error === signal.reason) return;
      this.#dependencies.log[isDatabaseUnavailable(error) ? "debug" : "error"](
        { err: error, connectionId },
        "a poll failed; it is run again within two minutes",
      );
    }
  }
}
