-- What is pending of a client are webhooks about employees, at most one for each connection, and events, which can be
-- millions while their address is stopped. What is done to all of one kind found them by the index of 0082, and walked
-- those of the other kind too. Each kind has an index of its own now, in its place. No released program used that one.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists deliveries_pending_employees on deliveries (client_id, id)
  where status = 'pending' and subject is null;
create index if not exists deliveries_pending_events on deliveries (client_id, id)
  where status = 'pending' and subject is not null;

drop index if exists deliveries_pending_of_client;
