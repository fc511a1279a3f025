-- One end user's linked account at one provider. Deleting the row deletes the wrapped data key: nothing that was
-- sealed under it can be opened any more.
set local lock_timeout = '500ms';

create table connections (
  id uuid primary key,
  client_id text not null references clients on delete cascade,
  token_id uuid not null unique,
  provider text not null,
  mode text not null check (mode in ('official', 'xhr')),
  scopes text[] not null,
  key_id text not null,
  wrapped_key bytea not null,
  sealed_session bytea not null,
  sign_in_count integer not null default 1,
  sealed_identity bytea not null,
  unsupported text[] not null,
  auth_failure text,
  created_at timestamptz not null,
  signed_in_at timestamptz not null,
  claimed_at timestamptz,
  expires_at timestamptz
);

create index connections_client on connections (client_id);
create index connections_unclaimed on connections (expires_at) where claimed_at is null;
