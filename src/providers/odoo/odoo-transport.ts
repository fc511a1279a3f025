import type { OdooReply } from "./odoo-reply.ts";
import type { OdooSession } from "./odoo-session.ts";
import type { SessionInfo } from "./session-info.ts";

/** A call of a method of a model. All that this adapter calls only read, so a call may be repeated. */
export interface OdooCall {
  model: string;
  method: string;
  /** The records that the method is called on. */
  ids?: readonly number[];
  /** By their names, in the order of the method. */
  positional?: Readonly<Record<string, unknown>>;
  kwargs?: object;
}

/** How methods of models are called with one kind of session. */
export interface OdooTransport {
  /** The newest. */
  readonly session: OdooSession;
  readInfo(): Promise<SessionInfo>;
  call(call: OdooCall): Promise<OdooReply>;
  /**
   * Makes the answers of another day differ: what the mapping makes of the same records depends on the day
   * where the company is.
   */
  markDay(day: string): Promise<void>;
}
