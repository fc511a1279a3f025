-- While the address of a client is stopped, what is pending for it can be much. What is done to all of it is done to a few
-- at a time, which this index finds. When the address for events is removed, what is pending since before is dropped a
-- moment later, and not what happens after another address was set: `cleared_at` is when it was removed, until it is
-- dropped. A program of before does not write it; then all is dropped.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists deliveries_pending_of_client on deliveries (client_id, id) where status = 'pending';

alter table event_endpoints add column cleared_at timestamptz;
