-- Why a receiver fails is told by the newest delivery that it refused. Behind it can wait millions that were never sent:
-- those that were refused have an index for each kind.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists deliveries_refused_employees on deliveries (client_id, id)
  where last_error is not null and subject is null;
create index if not exists deliveries_refused_events on deliveries (client_id, id)
  where last_error is not null and subject is not null;
