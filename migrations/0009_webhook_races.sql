-- An address that was taken away and set again before anybody looked has been taken away all the same.
-- A failure that nothing followed says nothing of the days after it: `counts_until` is when the next attempt was due, and a little.
-- Runs of polls are numbered across all watches, so that a run of a watch that was deleted cannot settle the one made in its place.
set local lock_timeout = '3s';

alter table clients add column is_webhook_cleared boolean not null default false;
alter table webhook_failures add column counts_until timestamptz;
create sequence poll_runs as integer cycle;
