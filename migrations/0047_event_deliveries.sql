-- Events are sent like the webhooks about employees, from the same table, so that both share the places and the shares of
-- their client. A delivery with a `subject` is of the event that has its id. It has no connection of its own: it outlives
-- the connection, and a program of an earlier version, which finds no connection for it, leaves it alone. Of one subject
-- the delivery with the lowest position is due; the others wait for it.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table deliveries
  alter column connection_id drop not null, alter column token_id drop not null, alter column sealed_body drop not null,
  add column subject text, add column event_type text, add column position bigint;

create index if not exists deliveries_subject on deliveries (subject, position)
  where status = 'pending' and subject is not null;
create index if not exists deliveries_event_waiting on deliveries (client_id)
  where status = 'pending' and subject is not null and due_at is null and lease_until is null;

-- How events of a client stand at its address, as `webhook_endpoints` says for the webhooks about employees, and which
-- resources are polled for them: null when the client has not chosen, and has no address.
create table event_endpoints (
  client_id text primary key references clients on delete cascade,
  status text check (status in ('active', 'paused', 'gone')),
  generation integer not null default 1,
  has_changed boolean not null,
  was_cleared boolean not null default false,
  failing_since timestamptz,
  failure_counts_until timestamptz,
  origin_key text not null default '',
  is_slow boolean not null default false,
  polled text[]
);

create index event_endpoints_changed on event_endpoints (client_id) where has_changed;
