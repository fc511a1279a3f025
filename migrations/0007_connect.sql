-- One end user's way through the hosted sign-in. What was typed and what the provider gave are sealed under the
-- flow's own key. A worker removes the submission (form values, or the code of a second factor) before it tries it;
-- the rest ends with the flow.
set local lock_timeout = '500ms';

create table connect_flows (
  id uuid primary key,
  client_id text not null references clients on delete cascade,
  token_id uuid references connections (token_id) on delete cascade,
  link_digest bytea unique,
  browser_digest bytea,
  mode text not null check (mode in ('official', 'xhr')),
  scopes text[] not null,
  redirect_uri text not null,
  code_challenge text,
  tags text[] not null,
  is_sandbox boolean not null,
  provider text,
  is_provider_fixed boolean not null,
  locale text,
  key_id text not null,
  wrapped_key bytea not null,
  sealed_state bytea,
  phase text not null
    check (phase in ('choosing', 'form', 'running', 'challenged', 'ready', 'finished', 'declined', 'failed')),
  step integer not null default 1,
  refused_attempts smallint not null default 0,
  refusal jsonb,
  sealed_submission bytea,
  sealed_prefill bytea,
  sealed_challenge bytea,
  sealed_sign_in bytea,
  sealed_redirect bytea,
  running_since timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index connect_flows_token on connect_flows (token_id) where token_id is not null;
create index connect_flows_expires_at on connect_flows (expires_at);

-- The sign-in throttle: recent refusals of an account, and of an account from one network, by a keyed digest.
create table sign_in_throttle (
  digest bytea primary key,
  refusals integer not null,
  next_attempt_at timestamptz not null,
  forget_at timestamptz not null
);

create index sign_in_throttle_forget_at on sign_in_throttle (forget_at);
