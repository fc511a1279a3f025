-- What a body said that was given up may have been taken in all the same, so the employees in it are told anew with the next one. A body counts as acknowledged for
-- good, also when it is sent once more in vain. A body that was made of a list that is kept no more says nothing of what its receiver knows.
set local lock_timeout = '3s';

alter table watches add column doubtful bytea not null default '';

alter table deliveries
  add column is_acknowledged boolean not null default false,
  alter column acked_after drop not null;
update deliveries set is_acknowledged = true where status = 'delivered';
create index deliveries_connection on deliveries (connection_id, id);
