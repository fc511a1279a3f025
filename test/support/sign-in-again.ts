import type { SignIn } from "../../src/connections/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import type { Harness } from "./harness.ts";

/** The end user signs in to the same account again, with the session that it has. `found` is what the account lacks. */
export async function signInAgain(
  { services: { connections, pool } }: Pick<Harness, "services">,
  connectionId: string,
  found: Partial<Pick<SignIn, "unsupported" | "forbidden" | "limited">> = {},
): Promise<void> {
  const connection = await connections.load(connectionId);
  if (!connection) throw new Error("the connection is gone");
  await transaction(pool, (tx) =>
    connections.reauthenticate(
      tx,
      connection,
      {
        session: connection.session,
        identity: { name: "A", email: "a@example.com", phone_number: null },
        unsupported: [],
        origin: null,
        ...found,
      },
      { isSameAccount: true },
    ),
  );
}
