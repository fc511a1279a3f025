import { setTimeout as delay } from "node:timers/promises";
import type { Mode } from "../../src/model/index.ts";
import { carried, ConnectVisitor, linkPath, workSignIns, type Seen } from "./connect-visitor.ts";
import { exchangeBody, type Harness } from "./harness.ts";
import type { Reply } from "./http-client.ts";

const management = "/2023-03-01/management";
const noCache = { "cache-control": "no-cache" };

/** A page of ours that an approval led to, the one that it began on, and the address of the vendor's page between. */
export interface Approved extends Seen {
  visitor: ConnectVisitor;
  first: Seen;
  address: URL;
}

/** A client whose end users approve at the vendor's own page, by OAuth2. */
export class ApprovingClient {
  readonly #harness: Harness;
  readonly #created: Awaited<ReturnType<Harness["createClient"]>>;

  private constructor(harness: Harness, created: Awaited<ReturnType<Harness["createClient"]>>) {
    this.#harness = harness;
    this.#created = created;
  }

  static async create(harness: Harness): Promise<ApprovingClient> {
    const created = await harness.createClient();
    workSignIns(harness);
    return new ApprovingClient(harness, created);
  }

  link(wanted: { mode: Mode; provider: string; scope: string }): string {
    return linkPath(this.#created.client, wanted);
  }

  /** To the vendor's page and back, when the person has approved there. */
  async approve(path: string, code: string): Promise<Approved> {
    const visitor = new ConnectVisitor(this.#harness.baseUrl);
    const first = await visitor.open(path);
    const { left = "" } = await visitor.send(first, "sign-in");
    const address = new URL(left);
    const state = address.searchParams.get("state") ?? "";
    const back = new URLSearchParams({ code, state }).toString();
    let seen = await visitor.open(`/connect/callback?${back}`);
    for (let look = 0; look < 200 && seen.html.includes("data-watch="); look += 1) {
      await delay(20);
      seen = await visitor.open(seen.path);
    }
    return { ...seen, visitor, first, address };
  }

  /** The access token for the code that the browser came back with. */
  async exchange(seen: Seen): Promise<string> {
    const { code = "" } = Object.fromEntries(carried(seen));
    const json = exchangeBody({ ...this.#created, code });
    const { body } = await this.#harness.http.post(`${management}/token`, { json });
    return (body as { access_token: string }).access_token;
  }

  /** What there is now: it is read anew when the first answer is a 202. */
  async read(bearer: string, path: string): Promise<Reply> {
    const { http } = this.#harness;
    const { status } = await http.get(path, { bearer, headers: noCache });
    if (status === 202) {
      await this.#harness.drain();
      workSignIns(this.#harness);
    }
    return await http.get(path, { bearer, headers: noCache });
  }

  /** A link to sign in again for the newest token that is valid. */
  async linkAgain(): Promise<string> {
    const { client, secret } = this.#created;
    const basic: [string, string] = [client.clientId, secret];
    const { http } = this.#harness;
    const { body: listed } = await http.get(`${management}/tokens`, { basic });
    const tokens = listed as { token: string; valid: boolean }[];
    const json = { token: tokens.findLast(({ valid }) => valid)?.token };
    const { body } = await http.post(`${management}/connect-session`, { basic, json });
    const { pathname, search } = new URL((body as { connect_url: string }).connect_url);
    return pathname + search;
  }

  /** The vendor is told in the background. */
  async disconnect(bearer: string): Promise<void> {
    const { status } = await this.#harness.http.post(`${management}/disconnect`, { bearer });
    if (status !== 200) throw new Error(`the disconnect was answered with ${status}`);
    await this.#harness.services.logOuts.done();
  }
}
