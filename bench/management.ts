import { request } from "undici";
import type { RowContext } from "../test/chaos/row.ts";
import type { Stage } from "../test/chaos/stage.ts";
import { transaction } from "../src/platform/db/index.ts";
import { serverAt, type Server } from "./load.ts";
import type { BareBody } from "./bare-server.ts";
import type { Claim } from "./report.ts";
import { startOidcPeer, type OidcPeer } from "./peers/oidc-peer.ts";
import { pidsOf } from "./stage-pids.ts";
import { startServer } from "./start-server.ts";
import { measureAll, type Measurement } from "./measure.ts";
import { withContext, type Store } from "./with-context.ts";

export const management = "/2023-03-01/management";
const employeesScope = "/2023-03-01/xhr/employees";
const redirectUri = "https://app.example.com/callback";
const atOnce = 8;

/** A service with one client, without workers. */
export class ManagementStage {
  readonly store: Store;
  readonly #context: RowContext;
  readonly #stage: Stage;
  readonly #ours: Server;
  readonly #clientId: string;
  readonly #secret: string;

  constructor(
    store: Store,
    made: { context: RowContext; stage: Stage; ours: Server; clientId: string; secret: string },
  ) {
    this.store = store;
    this.#context = made.context;
    this.#stage = made.stage;
    this.#ours = made.ours;
    this.#clientId = made.clientId;
    this.#secret = made.secret;
  }

  get basic(): Record<string, string> {
    const credential = Buffer.from(`${this.#clientId}:${this.#secret}`).toString("base64");
    return { authorization: `Basic ${credential}` };
  }

  /** The API, which can be profiled. */
  get api(): { ours: Server; pid: number } {
    return { ours: this.#ours, pid: this.#stage.pids[0] ?? 0 };
  }

  exchangeBody(code: string): string {
    return JSON.stringify({
      client_id: this.#clientId,
      client_secret: this.#secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    });
  }

  /** Codes of as many connections, of one sign-in at the sandbox. */
  async issueCodes(count: number): Promise<string[]> {
    return await this.#stage.withServices(async ({ clients, connect, pool }) => {
      const client = await clients.find(this.#clientId);
      const scopes = [employeesScope] as const;
      const signInRequest = { provider: "sandbox", mode: "xhr", scopes } as const;
      const formValues = { username: "user_good", password: "anything" };
      const step = await connect.start(signInRequest, formValues);
      if (!client || step.kind !== "signed-in") throw new Error("the sandbox did not sign in");
      const codes: string[] = [];
      const issueNext = async (): Promise<void> => {
        while (codes.length < count) {
          const place = codes.push("") - 1;
          const { code } = await transaction(pool, (tx) =>
            connect.complete(tx, client, signInRequest, {
              redirectUri,
              codeChallenge: null,
              signIn: step.signIn,
            }),
          );
          codes[place] = code;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, issueNext));
      return codes;
    });
  }

  async exchange(code: string): Promise<Uint8Array> {
    const { body, statusCode } = await request(`${this.#stage.baseUrl}${management}/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: this.exchangeBody(code),
    });
    if (statusCode !== 201) throw new Error(`a code was not exchanged: ${statusCode}`);
    return new Uint8Array(await body.arrayBuffer());
  }

  /** With the token of a new connection. */
  async introspection(): Promise<{ path: string; headers: Record<string, string> }> {
    const [code = ""] = await this.issueCodes(1);
    const issued = JSON.parse(Buffer.from(await this.exchange(code)).toString()) as {
      access_token: string;
    };
    const headers = { authorization: `Bearer ${issued.access_token}` };
    return { path: `${management}/introspect`, headers };
  }

  async fetchBytes(path: string, headers: Record<string, string>): Promise<Uint8Array> {
    const { body, statusCode } = await request(this.#stage.baseUrl + path, { headers });
    if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}`);
    return new Uint8Array(await body.arrayBuffer());
  }

  /** The path of a page of ten, from the middle of the first thousand tokens. */
  async middlePage(): Promise<string> {
    const first = await this.fetchBytes(`${management}/tokens?limit=1000`, this.basic);
    const entries = JSON.parse(Buffer.from(first).toString()) as { token: string }[];
    const after = entries.at(Math.floor(entries.length / 2));
    return `${management}/tokens?limit=10&after=${after?.token}`;
  }

  /** Tokens without connections, up to so many in all. */
  async fillTokens(count: number): Promise<void> {
    await this.#stage.query(
      `insert into tokens (id, client_id, digest, provider, mode, scopes, created_at, code_digest,
         grant_mac, digest_mac)
       select gen_random_uuid(), $1::text, sha256(convert_to($1 || n::text, 'UTF8')), 'sandbox', 'xhr', $2,
         now() + make_interval(secs => n), '', '', ''
       from generate_series((select count(*) from tokens where client_id = $1) + 1, $3) as n`,
      [this.#clientId, [employeesScope], count],
    );
    await this.#stage.query("analyze tokens", []);
  }

  /** oidc-provider on the same Postgres. */
  async startOidcPeer(codes: number): Promise<OidcPeer> {
    return await startOidcPeer(this.#stage, { codes, defer: this.#context.defer });
  }

  async measureAgainst(reference: Server, measurements: readonly Measurement[]): Promise<Claim[]> {
    return await measureAll(measurements, { ours: this.#ours, reference });
  }

  /** Against a Fastify without anything of ours that sends these bodies. */
  async measure(bodies: BareBody[], measurements: readonly Measurement[]): Promise<Claim[]> {
    const bare = await startServer("bare-server.ts", bodies, { defer: this.#context.defer });
    return await this.measureAgainst(bare, measurements);
  }
}

export async function onStage<Result>(
  store: Store,
  measure: (stage: ManagementStage) => Promise<Result>,
): Promise<Result> {
  return await withContext(store, async (context) => {
    const stage = await context.stage();
    const redirectUris = [redirectUri];
    const { client, secret } = await stage.withServices(({ clients }) =>
      clients.create({ name: "Bench", redirectUris }),
    );
    await stage.start("api");
    const ours = serverAt(stage.baseUrl, await pidsOf(stage));
    context.defer("the sockets", () => ours.pool.destroy());
    const { clientId } = client;
    return await measure(new ManagementStage(store, { context, stage, ours, clientId, secret }));
  });
}
