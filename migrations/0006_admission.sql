-- Everything that decides whether a request with an access token is admitted, and whether its data is stored, in one
-- row: token, connection and snapshot version. The planner inlines the function: it is one look-up by three unique
-- indexes.
set local lock_timeout = '500ms';

create function admission(wanted_digest bytea, wanted_resource text, wanted_parameters text)
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
  fetched_at timestamptz
) language sql stable as $$
  select t.id, t.client_id, l.is_shared_sandbox, t.provider, t.mode, t.scopes, t.disconnected_at is not null, c.id, c.auth_failure, s.version, s.fetched_at
  from tokens t
  join clients l on l.client_id = t.client_id
  left join connections c on c.token_id = t.id
  left join snapshots s on s.connection_id = c.id and s.resource = wanted_resource and s.parameters = wanted_parameters
  where t.digest = wanted_digest
$$;
