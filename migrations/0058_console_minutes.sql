-- What each worker did in a minute, as counts by outcome, for the plots of the console. A worker appends the rows, so no
-- read, poll or delivery waits for a row of counts; one that is killed loses a minute. They are kept for two days.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create table console_minutes (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  what text not null,
  provider text not null,
  outcome text not null,
  times integer not null
);

create index console_minutes_at on console_minutes (at, what);
