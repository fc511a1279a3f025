-- The account that a connection belongs to, as a keyed digest, so that the person who signs in to it again finds its
-- connections. Connections of before have none until their next sign-in. Such a sign-in is a flow without a client.
set local lock_timeout = '500ms';

alter table connections add column account_digest bytea;
create index connections_account on connections (account_digest) where account_digest is not null;

alter table connect_flows alter column client_id drop not null;
alter table connect_flows add column purpose text not null default 'connection'
  check (purpose in ('connection', 'accesses'));
alter table connect_flows add constraint connect_flows_client check (purpose = 'accesses' or client_id is not null);
alter table connect_flows add column sealed_account bytea;
