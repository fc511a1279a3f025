import type { Audit } from "../audit/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import type { Connection } from "./connection.ts";
import { sealSettings } from "./sealed-sign-in.ts";
import { setSettings } from "./store.ts";

/** Changes what an end user chose at the sign-in. */
export class ChosenSettings {
  readonly #audit: Audit;

  constructor({ audit }: { audit: Audit }) {
    this.#audit = audit;
  }

  /**
   * Replaces the settings with these names; one without a value is as if nobody had chosen it. The next read has the
   * new ones. The caller has locked the connection for a sign-in.
   */
  async change(
    tx: Queryable,
    connection: Connection,
    { names, values }: { names: readonly string[]; values: Readonly<Record<string, string>> },
  ): Promise<void> {
    const { id, clientId, tokenId, dataKey } = connection;
    const others = Object.entries(connection.settings).filter(([name]) => !names.includes(name));
    const settings = { ...Object.fromEntries(others), ...values };
    await setSettings(tx, id, sealSettings(dataKey, id, settings));
    const subject = { clientId, tokenId, connectionId: id };
    const detail = { names };
    await this.#audit.record(tx, "connection.settings-changed", { ...subject, detail });
  }
}
