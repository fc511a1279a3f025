-- A read is one request to the provider for a connection, a resource and its parameters. Whoever wants it asks for
-- the row, and one run at a time holds its lease. It takes the place of a fetch, which had no lease: pending fetches
-- are requested again by their callers.
set local lock_timeout = '500ms';

-- `requests` counts how often the read was requested. `due_at` is null for a settled read. `priority` 0 is for a caller who waits, 1 for a poll. `deaths` counts runs
-- whose child process had to be ended. An empty `origin_key` is that of a provider without an address.
create table reads (
  id uuid primary key,
  connection_id uuid not null references connections on delete cascade,
  client_id text not null,
  provider text not null,
  mode text not null,
  origin_key text not null,
  resource text not null,
  parameters text not null,
  state text not null check (state in ('pending', 'settled')),
  priority smallint not null,
  requests integer not null default 1,
  run integer not null default 0,
  due_at timestamptz,
  lease_until timestamptz,
  requested_at timestamptz not null,
  started_at timestamptz,
  tries smallint not null default 0,
  deaths smallint not null default 0,
  pages integer not null default 0,
  records integer not null default 0,
  bytes bigint not null default 0,
  progress_at timestamptz,
  outcome text check (outcome in ('stored', 'unavailable', 'broken', 'unsupported', 'refused')),
  settled_at timestamptz,
  kept_until timestamptz,
  unique (connection_id, resource, parameters)
);

create index reads_open on reads (client_id, priority, due_at) where due_at is not null and lease_until is null;
create index reads_leased on reads (lease_until) where lease_until is not null;
create index reads_settled on reads (settled_at) where state = 'settled';

create table read_durations (
  provider text not null,
  mode text not null,
  resource text not null,
  mean_ms real not null,
  primary key (provider, mode, resource)
);

drop table fetches;
drop table fetch_durations;

-- The packed list of a list of employees, for the difference of two lists, and the code that made the snapshot:
-- other code makes other records of the same answer.
alter table snapshots add column fingerprints bytea;
alter table snapshots add column made_by text not null default '';
alter table snapshots alter column fingerprints set storage external;

-- A keyed digest of the address that the session belongs to, so that one address has a share of its own.
alter table connections add column origin_key text not null default '';
