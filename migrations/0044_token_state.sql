-- All that a client may know of one of its tokens is found by one look-up, which reads tables of several rooms as
-- `admission` does. A connection tells since when its provider refuses it; of a refusal that a program of before wrote,
-- that is not known. Programs of before leave the column as it is, so a refusal that has ended may still have its time.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table connections add column auth_failed_at timestamptz;

-- One object for each resource of which there is stored data or a read. What is pending comes before what has ended.
create function resource_states(wanted uuid) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('resource', resource, 'readAt', s.fetched_at,
    'outcome', e.outcome, 'tookSeconds', e.took_seconds, 'records', coalesce(s.employees, e.records),
    'isRunning', w.is_running, 'dueAt', w.due_at, 'isDue', w.is_due, 'waits', w.waits)), '[]')
  from (
    select resource, max(fetched_at) as fetched_at, max(octet_length(fingerprints) / 16) as employees
    from snapshots where connection_id = wanted group by resource
  ) s
  full join (
    select distinct on (resource) resource, outcome, records,
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
  resources json
) language sql stable as $$
  select t.client_id, t.provider, t.mode, t.scopes, t.created_at, t.disconnected_at, t.code_digest, t.grant_mac, c.id,
    c.signed_in_at, c.auth_failure, case when c.auth_failure is not null then c.auth_failed_at end, c.rights,
    c.unsupported, p.next_poll_at, resource_states(c.id)
  from tokens t
  left join connections c on c.token_id = t.id and t.disconnected_at is null
  left join polls p on p.connection_id = c.id
  where t.id = wanted
$$;
