-- How many requests the newest run of a read made at the provider. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table reads add column provider_requests integer not null default 0;
