import type { Session } from "../../providers/index.ts";

/** Of sessions that follow one another faster than this, the newest is sent. */
const betweenMs = 1_000;

/** Sends the first session that an adapter saves at once: a provider may have replaced one that works no more. */
export class SavedSessions {
  readonly #send: (session: Session) => void;
  #newest: Session | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (session: Session) => void) {
    this.#send = send;
  }

  save(session: Session): void {
    this.#newest = session;
    if (this.#timer === undefined) this.#sendNewest();
  }

  /** Sends what is not sent yet. */
  flush(): void {
    clearTimeout(this.#timer);
    if (this.#newest) this.#send(this.#newest);
    this.#newest = undefined;
  }

  #sendNewest(): void {
    this.#timer = undefined;
    if (!this.#newest) return;
    this.flush();
    this.#timer = setTimeout(() => this.#sendNewest(), betweenMs);
  }
}
