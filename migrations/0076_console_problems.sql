-- What was wrong and has ended, for the history of the console. Ids, codes and times alone.
-- A problem of a connection is written when it ends, by the trigger below: no list of problems has all of them, and an
-- older program ends them, too. What is found in a list instead is opened, and closed when it is found no more, once a
-- minute by one worker.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

-- `key` names what is open. `seen_by` is 'operator' for what is of all clients together, 'client' for the part of one,
-- and 'all' for what both see as it is. `found_at` is when it was found last.
create table console_problems (
  id bigint generated always as identity primary key,
  key text not null,
  seen_by text not null,
  kind text not null,
  client_id text,
  token_id uuid,
  provider text,
  mode text,
  resource text,
  detail text,
  times integer not null,
  since timestamptz,
  found_at timestamptz not null,
  ended_at timestamptz
);

create unique index console_problems_open on console_problems (key) where ended_at is null;
create index console_problems_old on console_problems (ended_at);
create index console_problems_ended on console_problems (ended_at, id) where seen_by <> 'client';
create index console_problems_ended_of_client on console_problems (client_id, ended_at, id) where seen_by <> 'operator';

-- When a worker last looked.
create table console_looks (
  is_only boolean primary key default true check (is_only),
  looked_at timestamptz not null
);
insert into console_looks (looked_at) values ('-infinity');

-- What is wrong with a connection, as the list of problems has it. A resource that no scope covers is missed by nobody.
create function problems_of_connection(c connections)
returns table (kind text, resource text, detail text, since timestamptz) language sql stable as $$
  select 'sign_in_ended', null, c.auth_failure, c.auth_failed_at where c.auth_failure is not null
  union all
  select found.kind, name, found.detail, (rights->>'checkedAt')::timestamptz
  from jsonb_each(c.rights) as r (name, rights)
  cross join lateral (
    select 'right_missing', null where (rights->>'isForbidden')::boolean
    union all
    select 'fields_limited', string_agg(field, ', ' order by field)
    from jsonb_array_elements_text(rights->'limited') as field having count(*) > 0
  ) as found (kind, detail)
  where exists (select from unnest(c.scopes) as scope where regexp_replace(scope, '^/[^/]*/[^/]*/', '') in (
    name, case name when 'employees' then 'employee' when 'payslips' then 'payruns/:payrun_id' end))
$$;

create function note_ended_problems() returns trigger language plpgsql as $$
begin
  insert into console_problems (key, seen_by, kind, client_id, token_id, provider, mode, resource, detail, times, since,
    found_at, ended_at)
  select '', 'all', was.kind, old.client_id, old.token_id, old.provider, old.mode, was.resource, was.detail,
    case was.kind when 'sign_in_ended' then (
      select greatest(1, count(*)) from events e
      where e.connection_id = old.id and e.type = 'connection.reauthentication_required')
      when 'fields_limited' then cardinality(string_to_array(was.detail, ', ')) else 1 end,
    was.since, service_now(), date_trunc('milliseconds', service_now())
  from problems_of_connection(old) was
  where not exists (select from problems_of_connection(new) is_now
    where is_now.kind = was.kind and is_now.resource is not distinct from was.resource);
  return null;
end
$$;

create trigger connections_ended_problems after update of auth_failure, rights on connections for each row
  when (old.claimed_at is not null
    and (old.auth_failure is not null and new.auth_failure is null or old.rights <> new.rights))
  execute function note_ended_problems();

create trigger connections_removed_problems after delete on connections for each row
  when (old.claimed_at is not null and (old.auth_failure is not null or old.rights <> '{}'))
  execute function note_ended_problems();
