import { startSlowVendorProgram } from "../support/vendors/vendor-program.ts";
import { connectAccounts, createClient } from "./accounts.ts";
import { pollNow } from "./measuring.ts";
import type { Measured, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";
import { WatchedEmployees } from "./watched-employees.ts";

/** Connections whose employees change while a store suffers: the receiver is told of all of it in the end. */
export interface WatchUnderFault {
  /** People come and change, and are polled while the fault lasts. */
  change(): Promise<void>;
  measure(): Promise<Measured>;
}

const employees = 100;

export async function watchUnderFault(context: RowContext, stage: Stage): Promise<WatchUnderFault> {
  const vendor = await context.use(startSlowVendorProgram({ employees }));
  const client = await createClient(stage);
  const signIns = Array.from({ length: context.scaled(10, 3) }, (_, index) => ({
    url: vendor.url,
    username: `watched-${index}`,
  }));
  const accounts = await connectAccounts(stage, client, signIns);
  const watched = await WatchedEmployees.begin(context, stage, { client, accounts });
  let polling: Promise<unknown> = Promise.resolve();
  return {
    change: async () => {
      await vendor.control({ change: 20, employees: employees + 5 });
      // The command may fail while the store is away.
      polling = pollNow(stage);
    },
    measure: async () => {
      await polling;
      const isQuiet = await watched.becomeQuiet(context.scaled(600_000, 240_000));
      const violations = await watched.findViolations();
      return {
        isOk: isQuiet && violations.length === 0,
        measured: [
          watched.describe(),
          isQuiet ? "nothing left pending" : "something left pending",
          `violations: ${violations.slice(0, 3).join(", ") || "none"}`,
        ].join(", "),
      };
    },
  };
}
