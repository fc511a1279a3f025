import type { Harness } from "./harness.ts";

/** No flow is open any more, and no attempt has been made. */
export async function forgetSignIns({ database }: Pick<Harness, "database">): Promise<void> {
  for (const table of ["connect_flows", "sign_in_throttle", "sign_in_hours", "known_sources"])
    await database.query(`delete from ${table}`);
}
