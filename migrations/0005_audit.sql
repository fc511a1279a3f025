-- Every change of clients, secrets, tokens and connections, by ids only. Rows are added and never changed.
set local lock_timeout = '500ms';

create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  action text not null,
  client_id text,
  token_id uuid,
  connection_id uuid,
  detail jsonb not null default '{}'
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are append-only';
end
$$;

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();
