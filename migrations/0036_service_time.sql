-- One time for all processes: that of the database. What is due, leased or expired is decided by this function, and
-- never by the clock of a process. To the millisecond, as the program's dates are, so that a moment which it has read
-- is the moment in the row. It is the time at which the statement came, and not that of the transaction's begin, which
-- may have waited for a lock since. Conditions with it use indexes, and it is no call: Postgres puts its text there.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create function service_now() returns timestamptz language sql stable parallel safe
  return date_trunc('milliseconds', statement_timestamp());

-- By how many seconds the clock of a process is ahead of the database's; negative when it is behind. Null for a process
-- of an earlier version.
alter table running_processes add column clock_ahead_seconds double precision;
