-- Hourly polls and what comes of them. `seen` is the list of the last poll, `acked` what the receiver knows; a delivery is a frozen body that turns one into the
-- other. The schedule is an indexed time of the connection; the offset spreads polls evenly over the hour (2227 has no divisor in common with 3600).
set local lock_timeout = '3s';

create sequence poll_offsets;

alter table connections
  add column poll_offset integer not null default ((nextval('poll_offsets') * 2227) % 3600),
  add column next_poll_at timestamptz;

create index connections_next_poll_at on connections (next_poll_at) where next_poll_at is not null;

alter table clients add column is_webhook_changed boolean not null default false;
create index clients_webhook_changed on clients (client_id) where is_webhook_changed;

-- `doubtful` are the employees of bodies that were given up: the receiver may have taken them in all the same, so they are told anew.
create table watches (
  connection_id uuid primary key references connections on delete cascade,
  client_id text not null references clients on delete cascade,
  token_id uuid not null,
  provider text not null,
  slot timestamptz not null,
  state text not null check (state in ('pending', 'idle')),
  attempt integer not null default 0,
  enqueued_at timestamptz,
  outcome text,
  polled_at timestamptz,
  version text,
  seen bytea,
  acked bytea,
  held bytea not null default '',
  doubtful bytea not null default '',
  sealed_list bytea,
  sealed_index bytea,
  sealed_kept bytea,
  is_owed boolean not null default false
);

alter table watches
  alter column seen set storage external,
  alter column acked set storage external,
  alter column sealed_list set storage external,
  alter column sealed_index set storage external;
create index watches_pending on watches (slot) where state = 'pending';
create index watches_owed on watches (connection_id) where is_owed;
create index watches_client on watches (client_id);

-- A body counts as acknowledged for good, also when it is sent once more in vain. `acked_after` is null when the list it was made of is kept no more.
create table deliveries (
  id uuid primary key,
  connection_id uuid not null references connections on delete cascade,
  client_id text not null references clients on delete cascade,
  token_id uuid not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  sealed_body bytea not null,
  acked_after bytea,
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

alter table deliveries alter column sealed_body set storage external, alter column acked_after set storage external;
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

-- Since when every attempt at a client's endpoint has failed.
create table webhook_failures (
  client_id text primary key references clients on delete cascade,
  failing_since timestamptz not null
);
