import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { day, oneOf } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { id, listOf, readPages } from "./client.ts";

const run = defineSource({
  id,
  starts_on: day,
  ends_on: day,
  cycle_id: id,
  payment_type: oneOf(
    {
      regular: "regular",
      salary_advance: "one_time",
      bonus_benefit: "one_time",
      extra_pay: "one_time",
      severance: "one_time",
      delayed_payment: "correction",
      rate_difference: "correction",
    },
    { otherwise: null },
  ),
});

export const payrollRuns = listOf("compensations/payroll_runs");

/** Factorial says that a run is closed, and not whether or when it is paid. The list takes no days. */
export const payruns = defineReader<"payruns", object>({
  fetch: (context) => readPages(context, payrollRuns),
  table: defineFields("payruns", run, {
    remote_id: "id",
    type: run.from(["payment_type", "cycle_id"], (type, cycle) =>
      type === "regular" && cycle === null ? "off_cycle" : type,
    ),
    start_date: "starts_on",
    end_date: "ends_on",
  }).says({ type: "by the type of payment; off_cycle for a regular one of no cycle" }),
});
