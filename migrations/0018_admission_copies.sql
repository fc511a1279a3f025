-- With Redis, processes keep copies of admissions there. These two functions are what such a copy is made of, and how it
-- is found for a connection; no room reads the tables of another one.
set local lock_timeout = '500ms';

-- An admission that names no stored data, with the newest stored data of its connection beside it.
create function admission_with_versions(wanted_digest bytea, most_versions integer)
returns table (
  token_id uuid,
  client_id text,
  is_shared_sandbox boolean,
  provider text,
  mode text,
  scopes text[],
  is_disconnected boolean,
  connection_id uuid,
  auth_failure text,
  version text,
  fetched_at timestamptz,
  versions json
) language sql stable as $$
  select a.*, coalesce((
    select json_agg(json_build_array(v.resource, v.parameters, v.version, (extract(epoch from v.fetched_at) * 1000)::float8))
    from (select s.resource, s.parameters, s.version, s.fetched_at from snapshots s
          where s.connection_id = a.connection_id order by s.fetched_at desc limit most_versions) v), '[]')
  from admission(wanted_digest, '', '') a
$$;

-- Null before the connection's code was exchanged.
create function token_digest(wanted_connection uuid) returns bytea language sql stable as $$
  select t.digest from connections c join tokens t on t.id = c.token_id where c.id = wanted_connection
$$;
