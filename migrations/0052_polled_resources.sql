-- A client may have other resources polled beside the employees. One poll of a connection asks for all of them. What was
-- polled of such a resource last is kept as keyed hashes and ids, sealed, to find what has changed since: the list itself
-- is stored once, as for every caller. `parameters` name the range of dates that was polled. While a record is missing
-- that no second list has confirmed, the next list is compared even when it is the same.
-- A program of before polls the employees of every connection that it finds due. Programs from 0029_delivery_errors on may
-- start on it.
set local lock_timeout = '500ms';

create table polled_lists (
  connection_id uuid not null references connections on delete cascade,
  resource text not null,
  parameters text not null,
  version text not null,
  has_suspected boolean not null,
  sealed_list bytea not null,
  primary key (connection_id, resource)
);
alter table polled_lists alter column sealed_list set storage external;

-- False for a token that does not cover employees.
alter table polls add column covers_employees boolean not null default true;

-- What is polled for a client: what it has chosen for its events, and the employees for its webhooks.
create function polled_for(client text) returns text[] language sql stable as $$
  select case when 'employees' = any(chosen) or not has_webhooks then chosen else array_prepend('employees'::text, chosen) end
  from (
    select coalesce((select polled from event_endpoints where client_id = client), '{}') as chosen,
      exists (select from webhook_endpoints where client_id = client and status = 'active') as has_webhooks) wishes
$$;

create function polled_of(poll polls) returns text[] language sql stable as $$
  select case when (poll).covers_employees then polled_for((poll).client_id)
    else array_remove(polled_for((poll).client_id), 'employees') end
$$;

-- A program of before makes no poll for a token without employees.
create function add_missing_polls(client text) returns void language sql volatile as $$
  insert into polls (connection_id, client_id, token_id, provider, slot, covers_employees)
  select c.id, c.client_id, c.token_id, c.provider, service_now(), false from connections c
  where c.client_id = client and c.claimed_at is not null
    and not exists (select from polls p where p.connection_id = c.id)
  on conflict do nothing
$$;

-- With the requests of the last read, by which a poll is rarer than once an hour where the provider's quota asks for it.
create or replace function resource_states(wanted uuid) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('resource', resource, 'readAt', s.fetched_at,
    'outcome', e.outcome, 'tookSeconds', e.took_seconds, 'records', coalesce(s.employees, e.records),
    'requests', e.provider_requests, 'settledAt', e.settled_at,
    'isRunning', w.is_running, 'dueAt', w.due_at, 'isDue', w.is_due, 'waits', w.waits)), '[]')
  from (
    select resource, max(fetched_at) as fetched_at, max(octet_length(fingerprints) / 16) as employees
    from snapshots where connection_id = wanted group by resource
  ) s
  full join (
    select distinct on (resource) resource, outcome, records, provider_requests, settled_at,
      extract(epoch from settled_at - requested_at)::float8 as took_seconds
    from reads where connection_id = wanted and state = 'settled' order by resource, settled_at desc
  ) e using (resource)
  full join (
    select distinct on (resource) resource, lease_until is not null as is_running, due_at,
      due_at <= service_now() as is_due, waits
    from reads where connection_id = wanted and state = 'pending'
    order by resource, lease_until is null, due_at
  ) w using (resource)
$$;

drop function token_state(uuid);
create function token_state(wanted uuid)
returns table (
  client_id text,
  provider text,
  mode text,
  scopes text[],
  created_at timestamptz,
  disconnected_at timestamptz,
  code_digest bytea,
  grant_mac text,
  connection_id uuid,
  signed_in_at timestamptz,
  auth_failure text,
  auth_failed_at timestamptz,
  rights jsonb,
  unsupported text[],
  next_poll_at timestamptz,
  resources json,
  polled text[]
) language sql stable as $$
  select t.client_id, t.provider, t.mode, t.scopes, t.created_at, t.disconnected_at, t.code_digest, t.grant_mac, c.id,
    c.signed_in_at, c.auth_failure, case when c.auth_failure is not null then c.auth_failed_at end, c.rights,
    c.unsupported, p.next_poll_at, resource_states(c.id), coalesce(polled_of(p), '{}')
  from tokens t
  left join connections c on c.token_id = t.id and t.disconnected_at is null
  left join polls p on p.connection_id = c.id
  where t.id = wanted
$$;
