import type { Adapter, AdapterPayload } from "oidc-provider";
import type { Pool } from "pg";

/** One row for each thing that the provider stores. */
export const oidcTables = `
  create table oidc_payloads (
    model text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    user_code text,
    uid text,
    expires_at timestamptz,
    consumed_at timestamptz,
    primary key (model, id)
  );
  create index oidc_payloads_grant on oidc_payloads (grant_id) where grant_id is not null;
  create index oidc_payloads_user_code on oidc_payloads (user_code) where user_code is not null;
  create index oidc_payloads_uid on oidc_payloads (uid) where uid is not null;
  create index oidc_payloads_expires on oidc_payloads (expires_at);
`;

interface Row {
  payload: AdapterPayload;
  consumed: number | null;
}

const columns = "payload, extract(epoch from consumed_at)::integer as consumed";
const isLive = "(expires_at is null or expires_at > now())";

/** An adapter of oidc-provider for Postgres. Each call is one prepared statement that uses an index. */
export class OidcAdapter implements Adapter {
  readonly #pool: Pool;
  readonly #model: string;

  constructor(pool: Pool, model: string) {
    this.#pool = pool;
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    await this.#run(
      "oidc-upsert",
      `insert into oidc_payloads (model, id, payload, grant_id, user_code, uid, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
       on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
         user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
      [
        this.#model,
        id,
        JSON.stringify(payload),
        payload.grantId ?? null,
        payload.userCode ?? null,
        payload.uid ?? null,
        expiresIn ?? null,
      ],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return await this.#findOne(
      "oidc-find",
      `select ${columns} from oidc_payloads where model = $1 and id = $2 and ${isLive}`,
      [this.#model, id],
    );
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return await this.#findOne(
      "oidc-find-user-code",
      `select ${columns} from oidc_payloads where model = $1 and user_code = $2 and ${isLive}`,
      [this.#model, userCode],
    );
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return await this.#findOne(
      "oidc-find-uid",
      `select ${columns} from oidc_payloads where model = $1 and uid = $2 and ${isLive}`,
      [this.#model, uid],
    );
  }

  async consume(id: string): Promise<void> {
    await this.#run(
      "oidc-consume",
      "update oidc_payloads set consumed_at = now() where model = $1 and id = $2",
      [this.#model, id],
    );
  }

  async destroy(id: string): Promise<void> {
    await this.#run("oidc-destroy", "delete from oidc_payloads where model = $1 and id = $2", [
      this.#model,
      id,
    ]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#run("oidc-revoke", "delete from oidc_payloads where grant_id = $1", [grantId]);
  }

  async #findOne(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<AdapterPayload | undefined> {
    const [row] = await this.#run(name, text, values);
    return row && { ...row.payload, ...(row.consumed !== null && { consumed: row.consumed }) };
  }

  async #run(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return (await this.#pool.query<Row>({ name, text, values })).rows;
  }
}
