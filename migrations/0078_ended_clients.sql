-- An operator can end a client. Its row stays for the audit record, and nothing of it is let in any more. It is emptied,
-- of its secrets too, when its connections have ended and it has been told. A function of its own tells what of a client
-- decides an admission; client_limits stays for programs of before, and goes one version later.
-- Programs from 0029_delivery_errors on may start on it; an older one does not use a client that was ended, and takes its
-- tokens until they are disconnected.
set local lock_timeout = '500ms';

alter table clients add column ended_at timestamptz, add column emptied_at timestamptz;

create index clients_ending on clients (client_id) where ended_at is not null and emptied_at is null;

create function client_of_admission(wanted text) returns table (requests_per_5_minutes integer, is_ended boolean)
language sql stable as $$
  select requests_per_5_minutes, ended_at is not null from clients where client_id = wanted
$$;
