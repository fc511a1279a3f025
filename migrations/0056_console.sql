-- Who is signed in to the console, and the one-time links by which operators come in. Both are found by the digest of a
-- credential that only the browser has, and proved by a MAC: whoever writes rows signs in nobody.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

-- `client_id` is null for an operator. `name` is that of the operator's link, or stands for the secret that a developer
-- signed in with. `secrets_mac` is of the secrets that the client had then, under a key that only the cookie gives.
create table console_sessions (
  digest bytea primary key,
  client_id text,
  name text not null,
  secrets_mac bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  mac text not null
);

create index console_sessions_expires_at on console_sessions (expires_at);

create table console_links (
  digest bytea primary key,
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  mac text not null
);

create index console_links_expires_at on console_links (expires_at);
