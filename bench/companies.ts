import { request } from "undici";
import { connectAccount, createClient } from "../test/chaos/accounts.ts";
import { askUntilEnded } from "../test/chaos/asking.ts";
import type { RowContext } from "../test/chaos/row.ts";
import type { Stage } from "../test/chaos/stage.ts";
import { startSlowVendorProgram } from "../test/support/vendors/vendor-program.ts";
import { pidsOf } from "./stage-pids.ts";
import { withContext, type Store } from "./with-context.ts";

export const sizes = [100, 1_000, 10_000] as const;
export type Size = (typeof sizes)[number];

/** The API with a company of each size stored, each with a token. Nothing is fetched while it is measured. */
export interface Companies<Wanted extends Size = Size> {
  stage: Stage;
  tokens: Record<Wanted, string>;
  /** The API, Postgres with all of its sessions, and Redis. */
  pids: () => readonly number[];
  defer: RowContext["defer"];
}

export const employeesPath = "/2023-03-01/xhr/employees";

export function headersOf(token: string, encoding: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, "accept-encoding": encoding };
}

/** The reply as it is sent in this encoding. */
export async function fetchEmployees(
  { baseUrl }: Stage,
  token: string,
  encoding: string,
): Promise<Uint8Array> {
  const { body } = await request(baseUrl + employeesPath, { headers: headersOf(token, encoding) });
  return await body.bytes();
}

export async function withCompanies<Result>(
  store: Store,
  env: Record<string, string>,
  work: (companies: Companies) => Promise<Result>,
): Promise<Result> {
  return await withCompaniesOf(sizes, { store, env }, work);
}

export async function withCompaniesOf<Wanted extends Size, Result>(
  wanted: readonly Wanted[],
  { store, env }: { store: Store; env: Record<string, string> },
  work: (companies: Companies<Wanted>) => Promise<Result>,
): Promise<Result> {
  return await withContext(store, async (context) => {
    const freshness = { SNAPSHOT_FRESH_SECONDS: "86400", SNAPSHOT_STALE_SECONDS: "86400" };
    const stage = await context.stage({ ...freshness, ...env });
    const tokens = await fillStore(context, stage, wanted);
    return await work({ stage, tokens, pids: await pidsOf(stage), defer: context.defer });
  });
}

/** A company of each size, read once. Only the API runs afterwards. */
async function fillStore<Wanted extends Size>(
  context: RowContext,
  stage: Stage,
  wanted: readonly Wanted[],
): Promise<Record<Wanted, string>> {
  await stage.start("api");
  const worker = await stage.start("worker");
  const client = await createClient(stage);
  const tokens: Partial<Record<Wanted, string>> = {};
  for (const employees of wanted) {
    const vendor = await context.use(startSlowVendorProgram({ employees }));
    const account = await connectAccount(stage, client, {
      url: vendor.url,
      username: `company-${employees}`,
    });
    const { status } = await askUntilEnded(stage, account, { limitMs: 120_000 });
    if (status !== 200) throw new Error(`the company of ${employees} was not read: ${status}`);
    tokens[employees] = account.token;
    await vendor.stop();
  }
  await worker.stop();
  return tokens as Record<Wanted, string>;
}
