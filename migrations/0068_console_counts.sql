-- What the workers did in an hour and on a day, as counts by outcome, for the plots of the console: of each client, and
-- of all together, with an empty `client_id`. A worker adds what it did once a minute, so no read, poll or delivery
-- waits for a row of counts; one that is killed loses a minute. Hours are kept for two days and days for 62. With a
-- thousand clients at work that is about 230,000 rows of hours and 370,000 of days.
-- console_minutes is written by older programs alone. It goes when none of them may run any more.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create table console_counts (
  client_id text not null,
  seconds integer not null,
  at timestamptz not null,
  what text not null,
  provider text not null,
  outcome text not null,
  times bigint not null,
  primary key (client_id, seconds, at, what, provider, outcome)
);

create index console_counts_hours on console_counts (at) where seconds = 3600;
create index console_counts_days on console_counts (at) where seconds = 86400;

insert into console_counts (client_id, seconds, at, what, provider, outcome, times)
select '', s.seconds, to_timestamp(floor(extract(epoch from m.at) / s.seconds) * s.seconds), what, provider, outcome, sum(times)
from console_minutes m cross join (values (3600), (86400)) s (seconds) group by 1, 2, 3, 4, 5, 6;
