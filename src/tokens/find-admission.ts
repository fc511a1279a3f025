import type {
  AuthErrorCode,
  ClientId,
  ConnectionId,
  Mode,
  Resource,
  Scope,
  TokenId,
} from "../model/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import { loadTogether } from "../platform/load-together.ts";
import type { Log } from "../platform/log.ts";
import { CheckedBindings, type TokenBinding } from "./bind-token.ts";

/** Names the stored data that would answer a request. */
export interface StoredData {
  resource: Resource;
  parameters: string;
}

/** All that a request with an access token needs to know about its token and its stored data. */
export interface Admission {
  /** The digest of the access token, with which the look-up can be repeated. */
  digest: Buffer;
  tokenId: TokenId;
  clientId: ClientId;
  isSharedSandbox: boolean;
  provider: string;
  mode: Mode;
  scopes: Scope[];
  /** Also when its client has ended. */
  isDisconnected: boolean;
  connectionId: ConnectionId;
  authFailure: AuthErrorCode | null;
  /** The client's own window; null for that of the service. A copy that an earlier version made lacks it. */
  requestsPer5Minutes?: number | null;
  snapshot: Snapshot | undefined;
}

interface Snapshot {
  version: string;
  fetchedAt: Date;
}

type AdmissionRow = Omit<Admission, "digest" | "scopes" | "snapshot"> & {
  scopes: string;
  version: string | null;
  fetchedAtMs: number | null;
} & { [Field in keyof TokenBinding]: TokenBinding[Field] | null };

interface LookUp {
  digest: Buffer;
  stored: StoredData | undefined;
}

const mostTogether = 100;

const admissionColumns = `a.token_id as "tokenId", a.client_id as "clientId", a.is_shared_sandbox as "isSharedSandbox",
  a.provider, a.mode, array_to_string(a.scopes, ' ') as scopes,
  a.is_disconnected or a.connection_id is null or coalesce(is_ended, false) as "isDisconnected",
  coalesce(a.connection_id::text, '') as "connectionId", a.auth_failure as "authFailure",
  a.version, (extract(epoch from a.fetched_at) * 1000)::float8 as "fetchedAtMs",
  a.code_digest as "codeDigest", a.grant_mac as "grantMac", a.digest_mac as "digestMac",
  requests_per_5_minutes as "requestsPer5Minutes"`;
/** What the room of clients says of the client of an admission. */
const ofClient = "left join lateral client_of_admission(a.client_id) on true";

/** An admission that names no stored data, and all that there is of its connection. */
export interface WholeAdmission {
  admission: Admission;
  /** By the field of their copy. */
  versions: ReadonlyMap<string, Snapshot>;
  /** False when there are more versions than are listed. */
  isWhole: boolean;
}

const mostVersions = 200;

/** What tokens give access to, as Postgres has it. */
export class Admissions {
  readonly #pool: Queryable;
  readonly #log: Log;
  readonly #bindings: CheckedBindings;
  /** Those that are asked for in one turn of the event loop are looked up by one statement. */
  readonly #lookUps = loadTogether(
    (lookUps: readonly LookUp[]) => this.#findTogether(lookUps),
    mostTogether,
  );

  constructor({ pool, log, keyring }: { pool: Queryable; log: Log; keyring: Keyring }) {
    this.#pool = pool;
    this.#log = log;
    this.#bindings = new CheckedBindings(keyring);
  }

  /** By the digest of the token. Without `stored`, the admission names no snapshot. */
  async find(digest: Buffer, stored: StoredData | undefined): Promise<Admission | undefined> {
    return await this.#lookUps.load({ digest, stored });
  }

  /** With all that there is of the connection, for a copy. */
  async findWhole(digest: Buffer): Promise<WholeAdmission | undefined> {
    const row = await queryRow<AdmissionRow & { versions: [string, string, string, number][] }>(
      this.#pool,
      {
        name: "admission-whole",
        text: `select ${admissionColumns}, a.versions from admission_with_versions($1, $2) a ${ofClient}`,
        values: [digest, mostVersions + 1],
      },
    );
    if (!row) return undefined;
    const { versions, ...rest } = row;
    const admission = this.#check(digest, rest);
    if (!admission) return undefined;
    return {
      admission,
      versions: new Map(
        versions.map(([resource, parameters, version, fetchedAtMs]) => [
          copiedField({ resource, parameters }),
          { version, fetchedAt: new Date(fetchedAtMs) },
        ]),
      ),
      isWhole: versions.length <= mostVersions,
    };
  }

  /** Calls the function `admission`, which reads tables of several rooms. */
  async #findTogether(lookUps: readonly LookUp[]): Promise<(Admission | undefined)[]> {
    const rows = await queryRows<AdmissionRow & { position: number }>(this.#pool, {
      name: "admissions",
      text: `select position::integer, ${admissionColumns}
         from unnest((select $1::bytea[]), (select $2::text[]), (select $3::text[]))
           with ordinality as w (digest, resource, parameters, position)
         cross join lateral admission(w.digest, w.resource, w.parameters) a ${ofClient}`,
      values: [
        lookUps.map(({ digest }) => digest),
        lookUps.map(({ stored }) => stored?.resource ?? ""),
        lookUps.map(({ stored }) => stored?.parameters ?? ""),
      ],
    });
    const byPosition = new Map(rows.map(({ position, ...row }) => [position, row]));
    return lookUps.map(({ digest }, index) => {
      const row = byPosition.get(index + 1);
      return row && this.#check(digest, row);
    });
  }

  /** Undefined for a token that gives access to something else than what it was issued for. */
  #check(
    digest: Buffer,
    {
      scopes: joinedScopes,
      version,
      fetchedAtMs,
      codeDigest,
      grantMac,
      digestMac,
      ...row
    }: AdmissionRow,
  ): Admission | undefined {
    const scopes = joinedScopes.split(" ") as Scope[];
    const isBound =
      codeDigest !== null &&
      grantMac !== null &&
      digestMac !== null &&
      this.#bindings.isBound(digest, { codeDigest, grantMac, digestMac }, { ...row, scopes });
    // What was disconnected has no connection any more, and gives access to nothing.
    if (!row.isDisconnected && !isBound) {
      this.#log.error(
        { tokenId: row.tokenId },
        "what a token gives access to was changed in the database by somebody else; the token is refused",
      );
      return undefined;
    }
    return {
      digest,
      ...row,
      scopes,
      snapshot:
        version !== null && fetchedAtMs !== null
          ? { version, fetchedAt: new Date(fetchedAtMs) }
          : undefined,
    };
  }
}

/** What stored data is called in a copy of an admission. */
export function copiedField(stored: { resource: string; parameters: string } | undefined): string {
  return stored ? `of ${stored.resource} ${stored.parameters}` : "of nothing";
}
