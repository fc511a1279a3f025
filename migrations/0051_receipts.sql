-- What a disconnect deleted is in its entry of the audit record, to which the token points: a receipt is made of it as
-- long as the record is kept. The counts are of tables of several rooms, so a function takes them in the transaction of
-- the disconnect. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table tokens add column ended_entry bigint;

create function count_stored(wanted_token uuid)
returns table (lists integer, pay_run_ids integer, webhooks integer) language sql stable as $$
  select (select count(*) from snapshots s where s.connection_id = c.id)::integer,
    (select count(*) from issued_payruns p where p.connection_id = c.id)::integer,
    (select count(*) from deliveries d where d.connection_id = c.id)::integer
  from connections c where c.token_id = wanted_token
$$;
