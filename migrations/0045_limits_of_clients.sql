-- The operator may give a client a window of its own. It is found together with an admission, by a function that reads
-- the table of clients for the room of tokens. Null is the limit of the service. Programs of before leave it as it is, and
-- count by the limit of the service.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table clients add column requests_per_5_minutes integer
  check (requests_per_5_minutes between 1 and 1000000);

create function client_limits(wanted text) returns table (requests_per_5_minutes integer) language sql stable as $$
  select requests_per_5_minutes from clients where client_id = wanted
$$;
