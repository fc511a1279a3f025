import { request } from "undici";
import { linkPath } from "../support/connect-visitor.ts";
import { redirectUri } from "../support/harness.ts";
import { startSlowVendorProgram, type VendorProgram } from "../support/vendors/vendor-program.ts";
import { connectAccounts, createClient, type Account, type TestClient } from "./accounts.ts";
import { askOnce, askUntilSettled, patientAgent, requestJson } from "./asking.ts";
import { exchange, makeCodes, type Code } from "./exchanges.ts";
import type { Answer } from "./load.ts";
import type { RowContext } from "./row.ts";
import { proxyStatus } from "./small-proxy.ts";
import type { Stage } from "./stage.ts";

/** So many stay, to be counted at the end. */
const leastTokens = 10;

/** What clients do all day, as functions that a load calls again and again. */
export class Callers {
  readonly client: TestClient;
  readonly accounts: readonly Account[];
  readonly vendor: VendorProgram;
  /** What came of each code that was exchanged. */
  readonly tokens: string[] = [];
  /** The tokens that were disconnected. */
  readonly ended: string[] = [];
  lostReplies = 0;
  readonly #stage: Stage;
  readonly #codes: Code[];
  readonly #tried = new Set<Code>();
  #ending: string | undefined;

  /** Each account has its list stored. */
  static async connect(
    context: RowContext,
    stage: Stage,
    options: { accounts: number; codes: number; employees?: number; delayMs?: number },
  ): Promise<Callers> {
    const { employees = 50, delayMs = 0 } = options;
    const vendor = await context.use(startSlowVendorProgram({ employees, delayMs }));
    const client = await createClient(stage);
    const signIns = Array.from({ length: options.accounts }, (_, index) => ({
      url: vendor.url,
      username: `caller-${index}`,
    }));
    const accounts = await connectAccounts(stage, client, signIns);
    const made = { client, accounts, vendor, codes: await makeCodes(stage, options.codes) };
    const callers = new Callers(stage, made);
    await callers.settle();
    return callers;
  }

  private constructor(
    stage: Stage,
    made: { client: TestClient; accounts: Account[]; vendor: VendorProgram; codes: Code[] },
  ) {
    this.#stage = stage;
    this.client = made.client;
    this.accounts = made.accounts;
    this.vendor = made.vendor;
    this.#codes = made.codes;
  }

  readonly stored = async (turn: number): Promise<Answer> => ({
    what: "stored",
    ...(await askOnce(this.#stage, this.#account(turn))),
  });

  readonly anew = async (turn: number): Promise<Answer> => ({
    what: "anew",
    ...(await askOnce(this.#stage, this.#account(turn), "company", {
      "cache-control": "no-cache",
      prefer: "wait=2",
    })),
  });

  readonly introspect = async (turn: number): Promise<Answer> => {
    const { token } = this.#account(turn);
    const path = "/2023-03-01/management/introspect";
    return await this.#get("introspect", path, { authorization: `Bearer ${token}` });
  };

  readonly page = async (): Promise<Answer> =>
    await this.#get("page", linkPath(this.client, { provider: "odoo" }));

  /** A link for an end user, which is stored. */
  readonly link = async (): Promise<Answer> => {
    const { clientId, secret } = this.client;
    const { statusCode, body } = await request(
      `${this.#stage.baseUrl}/2023-03-01/management/connect-session`,
      {
        dispatcher: patientAgent,
        signal: this.#stage.signal,
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ redirect_uri: redirectUri, scope: "/2023-03-01/xhr/employees" }),
      },
    );
    await body.dump();
    return { what: "link", status: statusCode };
  };

  readonly health = async (): Promise<Answer> => await this.#get("health", "/healthz");

  /**
   * One code after the other, and the token at once. A code without a reply, or with one that says to come again, is
   * tried again. When its reply was lost, its token is nobody's. Without a code left it introspects.
   */
  readonly exchange = async (turn: number): Promise<Answer> => {
    const code = this.#codes.pop();
    if (!code) return await this.introspect(turn);
    const { status, token, message } = await exchange(this.#stage.baseUrl, code).catch(
      (error: unknown) => ({ status: proxyStatus, token: "", message: String(error) }),
    );
    if (status === 201) this.tokens.push(token);
    if (status === 409 && this.#tried.has(code)) {
      this.lostReplies += 1;
      return { what: "exchange whose reply was lost", status: 200 };
    }
    if ([503, proxyStatus].includes(status)) {
      this.#tried.add(code);
      this.#codes.push(code);
    }
    return { what: "exchange", status, message };
  };

  /** A code that an end user brought. */
  addCode(code: Code): void {
    this.#codes.push(code);
  }

  /** The codes whose exchange was not answered, once everything works. False when one of them is refused. */
  async exchangeTried(): Promise<boolean> {
    const left = this.#codes.filter((code) => this.#tried.has(code));
    this.#codes.splice(0, this.#codes.length, ...left);
    while (this.#codes.length > 0)
      if (![200, 201].includes((await this.exchange(0)).status)) return false;
    return true;
  }

  /** One token is ended. What was not answered is asked again, of the same token. */
  readonly disconnect = async (turn: number): Promise<Answer> => {
    const token =
      this.#ending ?? (this.tokens.length > leastTokens ? this.tokens.shift() : undefined);
    if (token === undefined) return await this.introspect(turn);
    this.#ending = token;
    const path = "/2023-03-01/management/disconnect";
    const { status, body } = await requestJson(this.#stage, "POST", path, { bearer: token }).catch(
      (error: unknown) => ({ status: proxyStatus, body: { message: String(error) } }),
    );
    if (status === 200) {
      this.ended.push(token);
      this.#ending = undefined;
    }
    return { what: "disconnect", status, message: JSON.stringify(body) };
  };

  /** How many of the tokens that were disconnected are refused. */
  async countRefused(): Promise<number> {
    let refused = 0;
    for (const token of this.ended)
      if ((await askOnce(this.#stage, { token })).status === 403) refused += 1;
    return refused;
  }

  /** How many of the tokens that were given are active. */
  async countUsable(): Promise<number> {
    let usable = 0;
    for (const token of this.tokens) {
      const headers = { authorization: `Bearer ${token}` };
      const path = "/2023-03-01/management/introspect";
      const { statusCode, body } = await request(this.#stage.baseUrl + path, { headers });
      const { active } = (await body.json()) as { active?: boolean };
      if (statusCode === 200 && active) usable += 1;
    }
    return usable;
  }

  /** Asks for both resources of each account until their reads have ended. Returns how many did not end with 200. */
  async settle(limitMs = 240_000): Promise<number> {
    const ends = await Promise.all(
      this.accounts.flatMap((account) =>
        ["employees", "company"].map((resource) =>
          askUntilSettled(this.#stage, account, { limitMs, resource }),
        ),
      ),
    );
    return ends.filter(({ status }) => status !== 200).length;
  }

  #account(turn: number): Account {
    return this.accounts[turn % this.accounts.length]!;
  }

  async #get(what: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const { statusCode, body } = await request(this.#stage.baseUrl + path, {
      dispatcher: patientAgent,
      headers: { "x-forwarded-for": "192.0.2.7", ...headers },
    });
    const text = await body.text();
    return { what, status: statusCode, message: statusCode < 400 ? "" : text };
  }
}
