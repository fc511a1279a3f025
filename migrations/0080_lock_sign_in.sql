-- What ends a run of a read locks the connection against a change of its sign-in too: true while the sign-in is the one that
-- the run began with, false when there is a newer one. No row when the connection is gone.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create function lock_sign_in(wanted uuid, sign_in integer) returns setof boolean language sql volatile as $$
  select sign_in_count = sign_in from connections where id = wanted for no key update
$$;
