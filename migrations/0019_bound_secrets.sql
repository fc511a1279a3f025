-- The digest of a client's secret is bound to the client, so that a row copied to another client lets nobody in. Rows
-- of before are compared by opening what they seal, which has always been bound.
set local lock_timeout = '500ms';
alter table client_secrets add column is_bound boolean not null default false;
