-- The row of a client is bound by a MAC over its addresses, switches and secrets, what a sign-in was opened for is sealed
-- with it, and the terms of a code have a MAC, so that nobody who writes to this database leads data elsewhere. The moment from which on every row
-- has to be bound is signed and never taken back. Rows of before are bound when nobody has changed them since the upgrade
-- began, which `xid` tells: the transaction in which the first process of this version started.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create table binding_moments (
  table_name text not null,
  kind text not null check (kind in ('upgrade', 'bound')),
  xid bigint not null,
  at timestamptz not null,
  mac bytea not null,
  primary key (table_name, kind)
);

create function refuse_moment_change() returns trigger language plpgsql as $$
begin
  raise exception 'moments are append-only';
end
$$;

create trigger binding_moments_append_only before update or delete or truncate on binding_moments
  for each statement execute function refuse_moment_change();

alter table clients add column row_mac text;

-- A process of an earlier version changes a client and makes no MAC.
create function unbind_client() returns trigger language plpgsql as $$
begin
  new.row_mac := null;
  return new;
end
$$;

create trigger clients_unbind before update on clients
  for each row when (old.row_mac is not null and new.row_mac is not distinct from old.row_mac and
    new.revision is distinct from old.revision)
  execute function unbind_client();

create function refuse_client_under_retired_key() returns trigger language plpgsql as $$
begin
  if new.row_mac is not null then
    perform refuse_retired_key(split_part(new.row_mac, ' ', 1));
  end if;
  return new;
end
$$;

create trigger clients_key before insert or update of row_mac on clients
  for each row execute function refuse_client_under_retired_key();

alter table connect_flows add column sealed_terms bytea;

-- The same for a sign-in.
create function unbind_flow() returns trigger language plpgsql as $$
begin
  new.sealed_terms := null;
  return new;
end
$$;

create trigger connect_flows_unbind before update on connect_flows
  for each row when (old.sealed_terms is not null and new.sealed_terms is not distinct from old.sealed_terms and
    (new.provider, new.browser_digest) is distinct from (old.provider, old.browser_digest))
  execute function unbind_flow();

-- What an exchange has to match: redirect address and challenge.
alter table authorization_codes add column terms_mac text;

drop function open_codes();
create function open_codes()
returns table (digest bytea, token_id uuid, client_id text, provider text, mode text, scopes text[],
  connection_id uuid, grant_mac text, redirect_uri text, code_challenge text, terms_mac text)
language sql stable as $$
  select a.digest, a.token_id, c.client_id, c.provider, c.mode, c.scopes, c.id, a.grant_mac, a.redirect_uri,
    a.code_challenge, a.terms_mac
  from authorization_codes a join connections c on c.token_id = a.token_id
  where a.redeemed_at is null and a.grant_mac is not null and c.claimed_at is null
$$;
