-- What a connection says of its client, token, provider, mode and scopes decides who is told of its data. It is proved by
-- the MAC of its token, so a connection is found together with that. A token that has ended stays so, whatever is written
-- back from an earlier copy. Since 0020 every token is bound when it is issued, and nobody binds one later any more.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

do $$ begin
  if exists (select from tokens where grant_mac is null) then
    raise exception 'tokens of a version before 0020_bound_tokens are not bound yet'
      using hint = 'Start the version that brought 0033_sealed_account, let it run for an hour, and upgrade then.';
  end if;
  if not exists (select from pg_constraint where conname = 'tokens_are_bound') then
    alter table tokens add constraint tokens_are_bound
      check (code_digest is not null and grant_mac is not null and digest_mac is not null) not valid;
  end if;
end $$;

-- Of the connections whose code was exchanged. One of a token that has ended is there only when somebody wrote it back.
create view bound_connections as
  select c.*, t.code_digest, t.grant_mac
  from connections c join tokens t on t.id = c.token_id where t.disconnected_at is null;

create function keep_ended_token() returns trigger language plpgsql as $$
begin
  raise exception 'the token % has ended', old.id;
end
$$;

create trigger tokens_stay_ended before update of id, digest, disconnected_at on tokens
  for each row when (old.disconnected_at is not null and
    (old.id, old.digest, old.disconnected_at) is distinct from (new.id, new.digest, new.disconnected_at))
  execute function keep_ended_token();

-- For processes of an older version, which ask until it is true.
create or replace function require_bound_tokens() returns boolean language sql stable as 'select true';
