-- How many records of a stored list have each field, as the console shows it: counts alone, and none below ten. They name
-- the version that was counted, because an older program stores another one and leaves them as they are.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table snapshots add column filled jsonb;

-- As in 0039_touch_snapshot.sql, but for `filled`: what an older program does not tell stays.
create or replace function touch_snapshot(touched jsonb) returns boolean language plpgsql strict as $$
begin
  update snapshots s
  set fetched_at = greatest(service_now(),
        least(date_trunc('second', service_now()) + interval '1 second', s.fetched_at)),
      source_mac = t.source_mac, made_by = t.made_by, is_steady = t.is_steady, limited = t.limited,
      sealed_since = t.sealed_since,
      full_read_at = case when t.is_full then service_now() else s.full_read_at end,
      filled = coalesce(t.filled, s.filled)
  from jsonb_to_record(touched) as t (connection_id uuid, resource text, parameters text, version text, source_mac bytea,
    made_by text, is_steady boolean, limited text[], sealed_since bytea, is_full boolean, filled jsonb)
  where s.connection_id = t.connection_id and s.resource = t.resource and s.parameters = t.parameters
    and s.version = t.version;
  return found;
end
$$;
