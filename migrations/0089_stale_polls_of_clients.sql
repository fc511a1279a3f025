-- A sweep runs the stale polls of clients in turns, so that many of one client keep no other one waiting. It finds those
-- of a client by an index of its own, in place of the one over all clients. A program of before claims them as it did,
-- and sorts those that wait. All polls of a client are found in the order of their connections, in which they are changed;
-- the planner took the former index of clients also for those that are stale, and read all polls of a client.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists polls_stale_of_client on polls (client_id, (coalesce(enqueued_at, '-infinity')))
  where state = 'pending';
create index if not exists polls_of_client on polls (client_id, connection_id);

drop index if exists polls_stale;
drop index if exists polls_client;
