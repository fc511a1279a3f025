-- The status of each client's webhook address, when each connection is polled, the employees that each receiver knows,
-- and the bodies that are sent.
set local lock_timeout = '500ms';

-- The address itself is a column of clients. `generation` counts how often it was set: answers of an earlier address
-- do not count for this one. A failure counts until a little after the next attempt was due.
create table webhook_endpoints (
  client_id text primary key references clients on delete cascade,
  status text check (status in ('active', 'paused', 'gone')),
  generation integer not null default 1,
  has_changed boolean not null,
  was_cleared boolean not null default false,
  failing_since timestamptz,
  failure_counts_until timestamptz
);

create index webhook_endpoints_changed on webhook_endpoints (client_id) where has_changed;

-- The schedule is an indexed time. The offset spreads polls evenly over the hour (2227 and 3600 have no common
-- divisor). Runs are numbered across all connections, and only the newest run of a poll settles it.
create sequence poll_offsets;
create sequence poll_runs as integer cycle;

create table polls (
  connection_id uuid primary key references connections on delete cascade,
  client_id text not null references clients on delete cascade,
  token_id uuid not null,
  provider text not null,
  poll_offset integer not null default ((nextval('poll_offsets') * 2227) % 3600),
  is_readable boolean not null default true,
  next_poll_at timestamptz,
  state text not null default 'idle' check (state in ('pending', 'idle')),
  slot timestamptz not null,
  run integer not null default 0,
  enqueued_at timestamptz,
  outcome text,
  polled_at timestamptz
);

create index polls_next_poll_at on polls (next_poll_at) where next_poll_at is not null;
create index polls_pending on polls (slot) where state = 'pending';
create index polls_client on polls (client_id);
create index polls_polled_at on polls (polled_at);

-- `current` is the list of the last poll, `acknowledged` the list that the receiver confirmed. `suspected_missing`,
-- `unconfirmed` and `tombstones` are sets of employees.
create table receiver_states (
  connection_id uuid primary key references connections on delete cascade,
  client_id text not null references clients on delete cascade,
  token_id uuid not null,
  version text not null,
  current bytea not null,
  acknowledged bytea not null,
  suspected_missing bytea not null,
  unconfirmed bytea not null,
  tombstones bytea not null,
  has_pending_changes boolean not null,
  sealed_list bytea not null,
  sealed_index bytea not null,
  sealed_tombstones bytea not null
);

alter table receiver_states
  alter column current set storage external,
  alter column acknowledged set storage external,
  alter column sealed_list set storage external,
  alter column sealed_index set storage external;
create index receiver_states_pending on receiver_states (connection_id) where has_pending_changes;
create index receiver_states_client on receiver_states (client_id);

-- A body that was acknowledged once stays acknowledged, also when a later replay fails. `list_after` is the list that
-- the body leads to. It is null when the state that the body was made of was deleted.
create table deliveries (
  id uuid primary key,
  connection_id uuid not null references connections on delete cascade,
  client_id text not null references clients on delete cascade,
  token_id uuid not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  sealed_body bytea not null,
  list_after bytea,
  is_acknowledged boolean not null default false,
  added integer not null,
  removed integer not null,
  updated integer not null,
  attempts integer not null default 0,
  schedule_step smallint not null default 0,
  next_attempt_at timestamptz,
  enqueued_at timestamptz,
  last_status smallint,
  created_at timestamptz not null,
  settled_at timestamptz
);

alter table deliveries alter column sealed_body set storage external, alter column list_after set storage external;
create unique index deliveries_in_flight on deliveries (connection_id) where status = 'pending';
create index deliveries_connection on deliveries (connection_id, id);
create index deliveries_client on deliveries (client_id, id desc);
create index deliveries_due on deliveries (next_attempt_at) where status = 'pending' and next_attempt_at is not null;
create index deliveries_settled on deliveries (settled_at) where settled_at is not null;

create table delivery_attempts (
  delivery_id uuid not null references deliveries on delete cascade,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status smallint,
  reason text not null,
  primary key (delivery_id, number)
);
