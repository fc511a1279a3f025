-- Authorization codes and access tokens, known by their SHA-256 only. A row outlives its connection, so that a
-- disconnected token can be told from an unknown one.
set local lock_timeout = '500ms';

create table authorization_codes (
  digest bytea primary key,
  client_id text not null references clients on delete cascade,
  token_id uuid not null,
  redirect_uri text not null,
  code_challenge text,
  expires_at timestamptz not null,
  redeemed_at timestamptz
);

create index authorization_codes_unredeemed on authorization_codes (expires_at) where redeemed_at is null;

create table tokens (
  id uuid primary key,
  client_id text not null references clients on delete cascade,
  digest bytea not null unique,
  provider text not null,
  mode text not null check (mode in ('official', 'xhr')),
  scopes text[] not null,
  created_at timestamptz not null,
  disconnected_at timestamptz
);

create index tokens_client on tokens (client_id, created_at);
