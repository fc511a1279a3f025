-- An address that was set or resumed is given to what is pending a few deliveries at a time, and each few are committed
-- before the next, so that nobody waits for all of them. `resumed_to` is the delivery that got it last, until all have
-- it. A program of before gives it to all at once, and leaves this as it is: then a newer one does it once more.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table webhook_endpoints add column resumed_to uuid;
alter table event_endpoints add column resumed_to uuid;

create index webhook_endpoints_resumed on webhook_endpoints (client_id) where resumed_to is not null;
create index event_endpoints_resumed on event_endpoints (client_id)
  where resumed_to is not null or cleared_at is not null;
