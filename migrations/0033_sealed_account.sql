-- The account that a connection belongs to, sealed under its data key, so that connections which were made under an
-- earlier key of the service are found when this one ends. Connections of before have none until their next sign-in.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table connections add column sealed_account bytea;
