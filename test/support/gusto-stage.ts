import type { Resource } from "../../src/model/index.ts";
import type { ProviderRequest, ProviderResponse } from "../../src/platform/outbound/index.ts";
import type {
  FetchParameters,
  MapContext,
  ReadContext,
  ResourceReader,
} from "../../src/providers/contract.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import { TestClock } from "./test-clock.ts";
import { allScopes, FakeGusto, rightCode } from "./vendors/fake-gusto.ts";
import { adminId, companyId, type GustoCompany } from "./vendors/gusto-company.ts";

/** A company at Gusto, and the adapter's reads of it, without sockets and in simulated time. */
export class GustoStage {
  readonly clock = new TestClock();
  readonly fake: FakeGusto;
  /** What the last read named. */
  limited: readonly string[] = [];
  scopes: readonly string[] = allScopes;
  /** Seconds that a request takes. */
  pace = 0;
  #token = "";

  constructor(company: GustoCompany) {
    this.fake = new FakeGusto({ company, now: () => this.clock.now() });
  }

  #signIn(): void {
    const { body } = this.fake.answer({
      method: "POST",
      path: "/oauth/token",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_id: "rollcall",
        client_secret: "secret of rollcall",
        grant_type: "authorization_code",
        code: rightCode,
        redirect_uri: "https://back.example",
      }),
    });
    this.#token = (body as { access_token: string }).access_token;
  }

  /** The records of a resource, as they are mapped. */
  async read<R extends Resource>(
    reader: ResourceReader<R>,
    parameters: FetchParameters<R> = {} as FetchParameters<R>,
  ): Promise<SourceRecord<R>[]> {
    this.#signIn();
    this.fake.scopes = this.scopes;
    this.limited = [];
    const today = this.clock.now().toISOString().slice(0, 10);
    const mapping = { today, parameters } as MapContext<R>;
    const found: (SourceRecord<R> | null)[] = [];
    for await (const page of reader.fetch(this.#context(), this.session, parameters)) {
      const raw = "records" in page ? page.records : page;
      found.push(...raw.map((one) => reader.map(one as never, mapping)));
    }
    return found.filter((one) => one !== null);
  }

  get session() {
    return {
      accessToken: this.#token,
      refreshToken: "refresh",
      expiresAt: "2099-01-01T00:00:00.000Z",
      company: companyId,
      owner: adminId(1),
      scopes: [...this.scopes],
    };
  }

  #context(): ReadContext {
    const context = {
      clock: this.clock,
      cursor: undefined,
      http: () => ({ request: async (request: ProviderRequest) => this.#answer(request) }),
      withSession: async (work: (given: object) => unknown) => await work(this.session),
      limited: (fields: readonly string[]) => void (this.limited = fields),
      continueFrom: () => undefined,
    };
    return context as unknown as ReadContext;
  }

  #answer({ url, query = {}, headers = {} }: ProviderRequest): ProviderResponse {
    this.clock.advance(this.pace);
    const asked = new URL(url);
    for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, String(value));
    const path = asked.pathname + asked.search;
    const given = headers as Record<string, string>;
    const reply = this.fake.answer({ method: "GET", path, headers: given, body: "" });
    const text = JSON.stringify(reply.body) ?? "";
    return {
      status: reply.status,
      headers: { "content-type": "application/json", ...reply.headers },
      bytes: Buffer.from(text),
      text: () => text,
      json: () => JSON.parse(text) as unknown,
    };
  }
}
