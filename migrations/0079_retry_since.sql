-- The time in which a read is tried again begins with its first run, and again with every page that it keeps. What it
-- waits for a place, or because the provider asked for it, does not count. A moment from before the newest request counts
-- for nothing, so programs that do not know the column may leave it as it is.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table reads add column retry_since timestamptz;
