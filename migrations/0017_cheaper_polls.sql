-- A statement of another room begins with the lock of the connection, as every transaction that changes more than one
-- row of a connection does. False when the connection is gone.
set local lock_timeout = '3s';

create function lock_connection(wanted uuid) returns boolean language sql volatile as $$
  select exists (select from (select from connections where id = wanted for key share) locked)
$$;

-- Those of the connections that nobody is about to remove. It waits for nobody.
create function lock_connections(wanted uuid[]) returns setof uuid language sql volatile as $$
  select id from connections where id = any(wanted) for key share skip locked
$$;
