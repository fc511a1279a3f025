-- What a token gives access to is bound by two MACs of the service's key: the code to its connection and its scopes,
-- when it is issued, and the token to its code, when that is exchanged. Whoever writes to this database gives nobody
-- access to more. Tokens of before get theirs within the hour in which processes of an older version may still issue
-- some, and from then on there is none without.
set local lock_timeout = '500ms';

alter table authorization_codes add column grant_mac text;
alter table tokens add column code_digest bytea;
alter table tokens add column grant_mac text;
alter table tokens add column digest_mac text;

do $$ begin
  if not exists (select from tokens) then
    alter table tokens add constraint tokens_are_bound
      check (code_digest is not null and grant_mac is not null and digest_mac is not null);
  end if;
end $$;

create index tokens_unbound on tokens (id) where grant_mac is null;

create function older_processes_may_issue_tokens() returns boolean language sql stable as $$
  select run_on > now() - interval '1 hour' from migrations where name = '0020_bound_tokens'
$$;

-- The tokens that have no MAC yet, with what each gives access to.
create function unbound_tokens(most integer)
returns table (digest bytea, token_id uuid, client_id text, provider text, mode text, scopes text[], connection_id uuid)
language sql stable as $$
  select t.digest, t.id, t.client_id, t.provider, t.mode, t.scopes, c.id
  from tokens t left join connections c on c.token_id = t.id
  where t.grant_mac is null order by t.id limit most
$$;

drop function admission_with_versions(bytea, integer);
drop function admission(bytea, text, text);

-- As before, with the MACs.
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
  fetched_at timestamptz,
  code_digest bytea,
  grant_mac text,
  digest_mac text
) language sql stable as $$
  select t.id, t.client_id, l.is_shared_sandbox, t.provider, t.mode, t.scopes, t.disconnected_at is not null, c.id,
    c.auth_failure, s.version, s.fetched_at, t.code_digest, t.grant_mac, t.digest_mac
  from tokens t
  join clients l on l.client_id = t.client_id
  left join connections c on c.token_id = t.id
  left join snapshots s on s.connection_id = c.id and s.resource = wanted_resource and s.parameters = wanted_parameters
  where t.digest = wanted_digest
$$;

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
  code_digest bytea,
  grant_mac text,
  digest_mac text,
  versions json
) language sql stable as $$
  select a.*, coalesce((
    select json_agg(json_build_array(v.resource, v.parameters, v.version, (extract(epoch from v.fetched_at) * 1000)::float8))
    from (select s.resource, s.parameters, s.version, s.fetched_at from snapshots s
          where s.connection_id = a.connection_id order by s.fetched_at desc limit most_versions) v), '[]')
  from admission(wanted_digest, '', '') a
$$;

-- False while there are tokens without a MAC, or there may be new ones.
create function require_bound_tokens() returns boolean language plpgsql as $$
begin
  if exists (select from pg_constraint where conname = 'tokens_are_bound') then return true; end if;
  if older_processes_may_issue_tokens() or exists (select from tokens where grant_mac is null) then return false; end if;
  alter table tokens add constraint tokens_are_bound
    check (code_digest is not null and grant_mac is not null and digest_mac is not null);
  return true;
end $$;
