-- The console lists the connections whose account may not read some fields, and a read whose answer could not be used
-- tells which fields were refused, by the names of our own records: never a value.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists connections_limited on connections (token_id)
  where jsonb_path_exists(rights, '$.*.limited[*]');
create index if not exists connections_limited_of_client on connections (client_id, token_id)
  where jsonb_path_exists(rights, '$.*.limited[*]');

alter table reads add column refused_fields text[];
