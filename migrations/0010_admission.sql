-- Attempts to deliver a webhook are leased: the live leases are the places, and they are shared by client, by the
-- origin of the address, and among endpoints that timed out. A delivery is due at `due_at`, which is null when it is
-- settled or its endpoint is suspended.
set local lock_timeout = '500ms';

-- `origin_key` is a keyed digest of the origin of the address. `is_slow` says that the last attempt timed out.
alter table webhook_endpoints add column origin_key text not null default '';
alter table webhook_endpoints add column is_slow boolean not null default false;

-- `run` counts the attempts. Only the newest one settles the delivery. `is_requested` says that another attempt was
-- requested during this one. `origin_key` and `is_slow` are those of the endpoint.
alter table deliveries rename column next_attempt_at to due_at;
alter table deliveries rename column attempts to run;
alter table deliveries drop column enqueued_at;
alter table deliveries add column lease_until timestamptz;
alter table deliveries add column is_requested boolean not null default false;
alter table deliveries add column origin_key text not null default '';
alter table deliveries add column is_slow boolean not null default false;

drop index deliveries_due;
create index deliveries_open on deliveries (client_id, due_at) where due_at is not null and lease_until is null;
create index deliveries_leased on deliveries (lease_until) where lease_until is not null;

-- A sign-in that runs is leased too. It is due while its submission waits, and from then on until its outcome is
-- stored: a lease that expires leads back to the form. `network_key` and `origin_key` are keyed digests of the network
-- of whoever sent the form, and of the address that was typed.
alter table connect_flows drop column running_since;
alter table connect_flows add column run integer not null default 0;
alter table connect_flows add column due_at timestamptz;
alter table connect_flows add column lease_until timestamptz;
alter table connect_flows add column network_key text not null default '';
alter table connect_flows add column origin_key text not null default '';
update connect_flows set due_at = now() where phase = 'running';

create index connect_flows_open on connect_flows (network_key, due_at) where due_at is not null and lease_until is null;
create index connect_flows_leased on connect_flows (lease_until) where lease_until is not null;
