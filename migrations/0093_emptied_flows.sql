-- A sign-in that has expired is emptied at once, and its row stays for an hour: who comes back to its page is told so, and
-- led back to the client. `emptied_at` is when. Programs of before delete such rows as soon as they expire.
-- connect_flows_to_empty finds what is still to be emptied.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table connect_flows add column emptied_at timestamptz;
create index if not exists connect_flows_to_empty on connect_flows (expires_at) where emptied_at is null;
