-- A read can take several runs: what it has is kept sealed until it is settled, and one refresh of a session at a time
-- serves everybody who needs the new one.
set local lock_timeout = '500ms';

-- `waits` counts the runs in a row that ended without a page because the provider takes no request for a while.
-- `kept_basis` names the code and the sign-in that made the kept pages: under another one the read begins anew.
alter table reads add column sealed_cursor bytea;
alter table reads add column kept_basis text not null default '';
alter table reads add column kept_pages integer not null default 0;
alter table reads add column waits integer not null default 0;
alter table reads drop constraint reads_outcome_check;
alter table reads add constraint reads_outcome_check
  check (outcome in ('stored', 'unavailable', 'broken', 'unsupported', 'forbidden', 'refused'));

create table read_parts (
  read_id uuid not null references reads on delete cascade,
  part integer not null,
  sealed_records bytea not null,
  primary key (read_id, part)
);
alter table read_parts alter column sealed_records set storage external;

-- `session_version` counts the sessions of a connection. Who refreshes one holds the lease until `refresh_until`. The
-- session before the newest is kept until the newest has worked.
alter table connections add column session_version integer not null default 1;
alter table connections add column refresh_until timestamptz;
alter table connections add column sealed_previous_session bytea;

-- In a list that is not steady somebody may be missing who was not removed. `limited` are the fields that the account
-- may not read.
alter table snapshots add column is_steady boolean not null default true;
alter table snapshots add column limited text[] not null default '{}';

-- The fields that could not be read when the receiver's list was made.
alter table receiver_states add column limited text[] not null default '{}';
