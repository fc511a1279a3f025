import type { NumberedSession } from "../../connections/index.ts";
import type { Session, SessionSource } from "../../providers/index.ts";
import type { ReadServices } from "../call-services.ts";

interface FirstSession {
  session: Session;
  /** The number of the session. */
  sessionVersion: number;
}

/** The newest session that this read knows. */
export class RenewedSessions implements SessionSource {
  readonly #services: ReadServices;
  #newest: NumberedSession;

  constructor({ session, sessionVersion: version }: FirstSession, services: ReadServices) {
    this.#services = services;
    this.#newest = { session, version };
  }

  current(): Session {
    return this.#newest.session;
  }

  async renew(ended: Session): Promise<Session> {
    if (ended === this.#newest.session)
      this.#newest = await this.#services.renewSession(this.#newest.version);
    return this.#newest.session;
  }
}
