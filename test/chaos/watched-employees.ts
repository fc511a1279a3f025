import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import {
  bytesById,
  rebuild,
  Receiver,
  type PublicEmployee,
  type Received,
} from "../support/receiver.ts";
import { startSlowVendorProgram, type VendorProgram } from "../support/vendors/vendor-program.ts";
import {
  connectAccounts,
  createClient,
  listenAt,
  type Account,
  type TestClient,
} from "./accounts.ts";
import { askUntilSettled } from "./asking.ts";
import { pollNow, untilSo } from "./measuring.ts";
import type { RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

interface Watched {
  account: Account;
  tokenId: string;
  baseline: readonly PublicEmployee[];
}

/** The employees of a client's connections as its receiver knows them, and as the API lists them. */
export class WatchedEmployees {
  readonly receiver: Receiver;
  readonly #stage: Stage;
  readonly #watched: readonly Watched[];

  /** New connections of one client, at a vendor of their own. */
  static async connect(
    context: RowContext,
    stage: Stage,
    { employees, count }: { employees: number; count: number },
  ): Promise<{ vendor: VendorProgram; watched: WatchedEmployees }> {
    const vendor = await context.use(startSlowVendorProgram({ employees }));
    const client = await createClient(stage);
    const signIns = Array.from({ length: count }, (_, index) => ({
      url: vendor.url,
      username: `watched-${index}`,
    }));
    const accounts = await connectAccounts(stage, client, signIns);
    return { vendor, watched: await WatchedEmployees.begin(context, stage, { client, accounts }) };
  }

  /** Nothing changes until each connection has its baseline. */
  static async begin(
    context: RowContext,
    stage: Stage,
    {
      client,
      accounts,
      listen = async (url) => await listenAt(stage, client, url),
    }: {
      client: TestClient;
      accounts: readonly Account[];
      /** Sets the address of the client's webhooks. */
      listen?: (url: string) => Promise<void>;
    },
  ): Promise<WatchedEmployees> {
    const receiver = await Receiver.start();
    context.defer("the receiver", () => receiver.close());
    const watched: Watched[] = [];
    for (const account of accounts) {
      const tokenId = await findTokenId(stage, account);
      watched.push({ account, tokenId, baseline: await listEmployees(stage, account) });
    }
    await listen(receiver.url);
    const haveBaseline = await untilSo(stage, 240_000, async () => {
      const rows = await stage.query("select count(*) as count from receiver_states");
      return Number(rows[0]?.["count"]) >= watched.length;
    });
    if (!haveBaseline) throw new Error("the first polls did not end");
    return new WatchedEmployees(stage, receiver, watched);
  }

  private constructor(stage: Stage, receiver: Receiver, watched: readonly Watched[]) {
    this.#stage = stage;
    this.receiver = receiver;
    this.#watched = watched;
  }

  /** What waits for its next attempt is due now: the schedule has hours. */
  async hurry(): Promise<void> {
    await this.#stage.query("update deliveries set due_at = now() where due_at is not null");
  }

  /**
   * Polls and delivers until nothing is pending. Three polls at least, because a removal waits for a second one that
   * agrees. The vendor has to be still meanwhile. False when something stays pending.
   */
  async becomeQuiet(limitMs: number): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    for (let polls = 0; performance.now() < deadline; polls += 1) {
      const isQuiet = await this.#isQuiet();
      if (isQuiet && polls >= 3) return true;
      await pollNow(this.#stage);
      await this.hurry();
      await delay(2_000, undefined, { signal: this.#stage.signal });
    }
    return false;
  }

  /** Each rule that is broken, in a few words. */
  async findViolations(): Promise<string[]> {
    const found: string[] = [];
    for (const { account, tokenId, baseline } of this.#watched) {
      const received = this.receiver.received.filter(({ token }) => token === tokenId);
      found.push(...describeFlaws(received));
      const listed = await listEmployees(this.#stage, account, { "cache-control": "no-cache" });
      const rebuilt = rebuild(baseline, received);
      const differing = [...listed].filter(
        (employee) => JSON.stringify(rebuilt.get(employee.remote_id)) !== JSON.stringify(employee),
      ).length;
      if (differing > 0) found.push(`${differing} of ${listed.length} employees differ`);
      if (rebuilt.size !== listed.length)
        found.push(`${rebuilt.size} employees where the provider has ${listed.length}`);
    }
    return found;
  }

  describe(): string {
    const { received, ids } = this.receiver;
    const told = received.reduce(
      (sum, { body }) => sum + body.added.length + body.removed.length + body.updated.length,
      0,
    );
    return `${new Set(ids).size} bodies in ${received.length} attempts, ${told} changes told`;
  }

  async #isQuiet(): Promise<boolean> {
    const rows = await this.#stage.query(
      `select from receiver_states where has_pending_changes or current <> acknowledged
       union all select from deliveries where status = 'pending'
       union all select from polls where state = 'pending'`,
    );
    return rows.length === 0;
  }
}

/** The same id has the same bytes, and new ids come in their order. */
function describeFlaws(received: readonly Received[]): string[] {
  const { bytes, changed } = bytesById(received);
  const flaws = Array.from({ length: changed }, () => "one id with two bodies");
  const ids = [...bytes.keys()];
  if (ids.join() !== ids.toSorted().join()) flaws.push("bodies out of order");
  return flaws;
}

/** From the database: programs of some ages tell it to nobody but an operator. */
async function findTokenId(stage: Stage, { token }: Account): Promise<string> {
  const [row] = await stage.query(
    "select id from tokens where digest = sha256(convert_to($1, 'utf8'))",
    [token],
  );
  if (!row) throw new Error("the token is not there");
  return String(row["id"]);
}

async function listEmployees(
  stage: Stage,
  account: Account,
  headers: Record<string, string> = {},
): Promise<PublicEmployee[]> {
  const { status } = await askUntilSettled(stage, account, { limitMs: 120_000 });
  if (status !== 200) throw new Error(`the list of employees ended with ${status}`);
  for (;;) {
    const { statusCode, body } = await request(`${stage.baseUrl}/2023-03-01/xhr/employees`, {
      headers: { authorization: `Bearer ${account.token}`, prefer: "wait=5", ...headers },
      signal: stage.signal,
    });
    const list = await body.json();
    if (statusCode === 200) return list as PublicEmployee[];
    await delay(500, undefined, { signal: stage.signal });
  }
}
