-- Our copy of provider data. A fetch is one request to the provider for a connection, a resource and its
-- parameters. A snapshot is the result of the last fetch that succeeded.
set local lock_timeout = '500ms';

create table fetches (
  id uuid primary key,
  connection_id uuid not null references connections on delete cascade,
  resource text not null,
  parameters text not null,
  provider text not null,
  mode text not null,
  generation integer not null default 1,
  state text not null check (state in ('pending', 'settled')),
  run integer not null default 0,
  tries smallint not null default 0,
  requested_at timestamptz not null,
  next_try_at timestamptz not null,
  enqueued_at timestamptz,
  started_at timestamptz,
  outcome text check (outcome in ('stored', 'unavailable', 'broken', 'unsupported', 'refused')),
  settled_at timestamptz,
  kept_until timestamptz,
  unique (connection_id, resource, parameters)
);

create index fetches_pending on fetches (next_try_at) where state = 'pending';

create index fetches_settled on fetches (settled_at) where state = 'settled';

create table snapshots (
  connection_id uuid not null references connections on delete cascade,
  resource text not null,
  parameters text not null,
  version text not null,
  source_mac bytea,
  fetched_at timestamptz not null,
  sealed_body bytea not null,
  sealed_index bytea,
  primary key (connection_id, resource, parameters)
);

-- The bodies are compressed already.
alter table snapshots
  alter column sealed_body set storage external,
  alter column sealed_index set storage external;
create index snapshots_fetched_at on snapshots (fetched_at);

create table issued_payruns (
  connection_id uuid not null references connections on delete cascade,
  id text not null,
  sealed_remote_id bytea not null,
  primary key (connection_id, id)
);

create table fetch_durations (
  provider text not null,
  mode text not null,
  resource text not null,
  mean_ms real not null,
  primary key (provider, mode, resource)
);
