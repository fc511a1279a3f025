import type { Command } from "commander";
import type { Overrides, Services } from "../start/services.ts";
import { reportFailure } from "./report-failure.ts";

/** Uses the database of the running service; when none runs, starts that of the state folder. */
export async function withServices(
  command: Command,
  work: (services: Services) => Promise<void>,
  overrides: Pick<Overrides, "checksKeys" | "isReadOnly"> = {},
): Promise<void> {
  await reportFailure(command, async () => {
    const { openServices } = await import("./open-services.ts");
    await openServices(work, overrides);
  });
}
