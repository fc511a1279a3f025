import type { ClientId } from "../model/index.ts";

/** Who looks at the console. */
export interface Viewer {
  /** A developer sees this client alone. Undefined for an operator, who sees everything. */
  clientId: ClientId | undefined;
  /** Who it is, as the audit record and the head of each page have it. */
  name: string;
  /** A hidden field of every form: nobody else's page can send it. */
  formToken: string;
}
