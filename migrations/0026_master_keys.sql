-- The master keys that this database has used. A key itself is never here: its canary is a value sealed under it, so
-- that another key of the same name is found at the start. The row of a retired key stays, so that nothing is ever
-- sealed under its name again.
set local lock_timeout = '500ms';

-- `kept_account_key` is the subkey for the digests of accounts, sealed under the key `kept_under`: digests cannot be
-- made again, and this subkey opens nothing.
create table master_keys (
  id text primary key,
  canary bytea not null,
  added_at timestamptz not null,
  activated_at timestamptz,
  retired_at timestamptz,
  kept_under text,
  kept_account_key bytea
);

-- Which keys the running processes have. Each renews its row; one that was killed leaves it to grow old.
create table running_processes (
  id uuid primary key,
  role text not null,
  key_ids text[] not null,
  active_key text not null,
  seen_at timestamptz not null
);

-- The lock makes a retirement wait for what is being sealed under the key, and the other way round. A key that is not
-- in the table is one of an older version.
create function refuse_retired_key(wanted text) returns void language plpgsql as $$
declare
  retired timestamptz;
begin
  select retired_at into retired from master_keys where id = wanted for key share;
  if retired is not null then
    raise exception 'the master key % is retired', wanted;
  end if;
end
$$;

create function refuse_sealing_under_retired_key() returns trigger language plpgsql as $$
begin
  perform refuse_retired_key(new.key_id);
  return new;
end
$$;

create trigger client_secrets_key before insert or update of key_id on client_secrets
  for each row execute function refuse_sealing_under_retired_key();
create trigger connections_key before insert or update of key_id on connections
  for each row execute function refuse_sealing_under_retired_key();
create trigger connect_flows_key before insert or update of key_id on connect_flows
  for each row execute function refuse_sealing_under_retired_key();

create function refuse_grant_under_retired_key() returns trigger language plpgsql as $$
begin
  perform refuse_retired_key(split_part(new.grant_mac, ' ', 1));
  return new;
end
$$;

create function refuse_token_under_retired_key() returns trigger language plpgsql as $$
begin
  perform refuse_retired_key(split_part(new.grant_mac, ' ', 1));
  if split_part(new.digest_mac, ' ', 1) <> split_part(new.grant_mac, ' ', 1) then
    perform refuse_retired_key(split_part(new.digest_mac, ' ', 1));
  end if;
  return new;
end
$$;

create trigger authorization_codes_key before insert or update of grant_mac on authorization_codes
  for each row execute function refuse_grant_under_retired_key();
create trigger tokens_key before insert or update of grant_mac, digest_mac on tokens
  for each row execute function refuse_token_under_retired_key();

-- The tokens that are bound, with what each gives access to, in the order of their ids. The connection of one that was
-- disconnected is gone.
create function bound_tokens(after_id uuid)
returns table (token_id uuid, client_id text, provider text, mode text, scopes text[], connection_id uuid,
  digest bytea, code_digest bytea, grant_mac text, digest_mac text)
language sql stable as $$
  select t.id, t.client_id, t.provider, t.mode, t.scopes, case when t.disconnected_at is null then c.id end,
    t.digest, t.code_digest, t.grant_mac, t.digest_mac
  from tokens t left join connections c on c.token_id = t.id
  where t.grant_mac is not null and (after_id is null or t.id > after_id) order by t.id
$$;

-- The codes that may still be exchanged, with what each gives access to.
create function open_codes()
returns table (digest bytea, token_id uuid, client_id text, provider text, mode text, scopes text[],
  connection_id uuid, grant_mac text)
language sql stable as $$
  select a.digest, a.token_id, c.client_id, c.provider, c.mode, c.scopes, c.id, a.grant_mac
  from authorization_codes a join connections c on c.token_id = a.token_id
  where a.redeemed_at is null and a.grant_mac is not null and c.claimed_at is null
$$;
