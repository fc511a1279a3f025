-- While the address of a client is stopped, what is pending for it can be much. What is done to all of it is done to a few
-- at a time, which this index finds.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists deliveries_pending_of_client on deliveries (client_id, id) where status = 'pending';
