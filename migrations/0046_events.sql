-- What happens to connections is told as events: ids and states, never data of people. An event is a row that the
-- statement which makes it happen writes by one of the functions below. Its position in the list of its client is given
-- after the commit, by one writer, so that nobody who has read the list misses what a slow transaction commits later.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

-- A client is never deleted, so nothing refers to clients: the row of a busy one would be locked by each event.
create table events (
  id uuid primary key,
  number bigint generated always as identity,
  client_id text not null,
  connection_id uuid,
  token_id uuid,
  provider text not null,
  mode text not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  position bigint
);

create index events_waiting on events (number) where position is null;
create unique index events_position on events (client_id, position) where position is not null;
create index events_created on events (created_at);

-- The last position that was given.
create table event_head (
  is_only boolean primary key default true check (is_only),
  position bigint not null
);
insert into event_head (position) values (0);

-- A version 7 UUID: ids sort by their time.
create function new_event_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from service_now()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

-- What happened to a connection, which may be deleted by the same statement. Null for null, and for the sandbox that all
-- share: nobody can ask for its events. It has to stand where a statement needs its value, such as behind `returning`.
create function record_event(happened_to connections, what text, details jsonb) returns uuid language sql volatile as $$
  insert into events (id, client_id, connection_id, token_id, provider, mode, type, data, created_at)
  select new_event_id(), happened_to.client_id, happened_to.id, happened_to.token_id, happened_to.provider,
    happened_to.mode, what, details, service_now()
  where happened_to.id is not null and what is not null
    and not exists (select from clients c where c.client_id = happened_to.client_id and c.is_shared_sandbox)
  returning id
$$;

-- The same for a statement of a room that knows the id of the connection alone.
create function record_event_of(connection uuid, what text, details jsonb) returns uuid language sql volatile as $$
  select record_event(c, what, details) from connections c where c.id = connection and what is not null
$$;

-- Which resources an account may read since its rights have changed, and which no longer. Null when these are the same.
create function changed_rights(before jsonb, after jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object('gained', gained, 'lost', lost) from (
    select coalesce(jsonb_agg(name order by name) filter (where was and not is_now), '[]') as gained,
      coalesce(jsonb_agg(name order by name) filter (where is_now and not was), '[]') as lost
    from (
      select name, coalesce((before->name->>'isForbidden')::boolean, false) as was,
        coalesce((after->name->>'isForbidden')::boolean, false) as is_now
      from jsonb_object_keys(before || after) as name) forbidden) changed
  where gained <> '[]' or lost <> '[]'
$$;

-- Where a client wants events, and of what. Null for an address means none, for types all, and for resources the usual.
alter table clients add column event_uri text, add column event_types text[], add column poll_resources text[];

-- Whether a caller was told to wait for the read: its end is an event then.
alter table reads add column is_awaited boolean not null default false;
