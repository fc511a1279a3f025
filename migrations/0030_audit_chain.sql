-- Each audit entry is proved by a MAC under a key that is outside the database, and a job links the entries into a
-- chain. Links have a table of their own, so that entries and links are added and never changed.
set local lock_timeout = '500ms';

-- Null in the entries of an earlier version of the program.
alter table audit_entries add column nonce bytea, add column mac bytea;

create table audit_links (
  position bigint primary key,
  entry_id bigint not null unique,
  chain bytea not null
);

create trigger audit_links_append_only before update or delete or truncate on audit_links
  for each statement execute function refuse_audit_change();

-- One row: the key of the MACs, sealed under the master key `key_id`.
create table audit_keys (
  id uuid primary key,
  key_id text not null,
  wrapped_key bytea not null
);

create trigger audit_keys_key before insert or update of key_id on audit_keys
  for each row execute function refuse_sealing_under_retired_key();

-- One row: where the chain ends, under a MAC of its own, so that a tail that was cut off is missed. From the position
-- `signed_from` on, every entry has a MAC.
create table audit_head (
  is_only boolean primary key default true check (is_only),
  position bigint not null,
  chain bytea not null,
  linked_at timestamptz not null,
  signed_from bigint,
  mac bytea not null
);

-- False for a process of an earlier version, whose entries have no MAC.
alter table running_processes add column signs_audit boolean not null default false;
