import type { SteadyClock } from "../clock.ts";
import { type Queryable, queryRows } from "./sql.ts";
import { programName } from "./migration-files.ts";

/** A session of a program that is older than this one, as the database sees it. */
export interface OlderSession {
  processId: number;
  role: string;
  since: Date;
}

/** What an older program has begun has ended after this: no sign-in takes longer. */
const goneForMs = 35 * 60_000;

/**
 * Sessions of the roles of the service that no program of this version or a newer one has opened. A program of before
 * its sessions had a name has none. Tools such as psql name themselves.
 */
export async function findOlderSessions(db: Queryable): Promise<OlderSession[]> {
  return await queryRows<OlderSession>(
    db,
    `select pid as "processId", usename as role, backend_start as since from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'
       and usename in (current_user, (select tableowner from pg_tables
         where schemaname = current_schema() and tablename = 'migrations'))
       and (application_name = '' or (application_name like 'rollcall %' and application_name < $1))
     order by backend_start`,
    [programName],
  );
}

/** Whether programs of an earlier version may still write. What processes tell of themselves decides nothing. */
export class OlderPrograms {
  readonly #pool: Queryable;
  readonly #clock: SteadyClock;
  #goneSinceMs: number | undefined;

  constructor({ pool, clock }: { pool: Queryable; clock: SteadyClock }) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** True when this process has seen none for a while. It has to ask again and again. */
  async areGone(): Promise<boolean> {
    const sessions = await findOlderSessions(this.#pool);
    if (sessions.length > 0) this.#goneSinceMs = undefined;
    else this.#goneSinceMs ??= this.#clock.elapsedMs();
    return this.#clock.elapsedMs() - (this.#goneSinceMs ?? Infinity) >= goneForMs;
  }
}
