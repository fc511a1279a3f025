-- Which version of the program brought a migration, and the oldest one that may start on it, named by the last
-- migration that it knows. An older program can so say which version the database needs. Null: nothing older may start.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table migrations add column program_version text, add column starts_from text;

-- As before, and nobody waits for it: it gives up the lock of the table within half a second, and looks through the
-- table at its next call, without that lock.
create or replace function require_bound_tokens() returns boolean language plpgsql set lock_timeout = '500ms' as $$
declare
  is_valid boolean;
begin
  select convalidated into is_valid from pg_constraint where conname = 'tokens_are_bound';
  if is_valid then return true; end if;
  if is_valid is null then
    if older_processes_may_issue_tokens() or exists (select from tokens where grant_mac is null) then
      return false;
    end if;
    alter table tokens add constraint tokens_are_bound
      check (code_digest is not null and grant_mac is not null and digest_mac is not null) not valid;
    return false;
  end if;
  alter table tokens validate constraint tokens_are_bound;
  return true;
exception when lock_not_available then
  return false;
end $$;
