-- The developers who use the API. A secret is sealed, because it signs webhooks, and has a keyed digest, which
-- authentication compares.
set local lock_timeout = '500ms';

create table clients (
  client_id text primary key,
  name text not null,
  redirect_uris text[] not null,
  webhook_uri text,
  require_pkce boolean not null default false,
  is_shared_sandbox boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index clients_shared_sandbox on clients (is_shared_sandbox) where is_shared_sandbox;

create table client_secrets (
  client_id text not null references clients on delete cascade,
  position smallint not null,
  key_id text not null,
  sealed bytea not null,
  digest bytea not null,
  primary key (client_id, position)
);
