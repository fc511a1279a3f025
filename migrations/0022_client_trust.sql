-- What the sign-in pages show of a client, so that its end users can tell who asks. The picture stands apart: a client
-- is looked up with every request of its own, its picture by browsers alone.
set local lock_timeout = '500ms';

alter table clients add column purpose text;
alter table clients add column privacy_url text;
alter table clients add column support_url text;
alter table clients add column logo_digest text;

create table client_logos (
  client_id text primary key references clients on delete cascade,
  digest text not null,
  png bytea not null
);

create index client_logos_digest on client_logos (digest);
