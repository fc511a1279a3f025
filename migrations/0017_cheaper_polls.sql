-- A statement of another room begins with the lock of the connection, as every transaction that changes more than one
-- row of a connection does. False when the connection is gone.
set local lock_timeout = '500ms';

create function lock_connection(wanted uuid) returns boolean language sql volatile as $$
  select exists (select from (select from connections where id = wanted for key share) locked)
$$;

-- Those of the connections that nobody is about to remove. It waits for nobody.
create function lock_connections(wanted uuid[]) returns setof uuid language sql volatile as $$
  select id from connections where id = any(wanted) for key share skip locked
$$;

-- What a worker looks for again and again is found by an index, however many rows there are.
create index reads_pending on reads (requested_at) where state = 'pending';
create index deliveries_pending on deliveries (created_at) where status = 'pending';
create index polls_stale on polls ((coalesce(enqueued_at, '-infinity'))) where state = 'pending';
drop index polls_pending;

-- A count is old when its slot is more than sixty slots, a whole window, ago.
create index quota_counts_end on quota_counts (((slot + 61) * window_seconds));
create index quota_pauses_until on quota_pauses (until);
create index quota_places_until on quota_places (until);
