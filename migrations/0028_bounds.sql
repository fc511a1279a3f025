-- The sandbox's sign-in is offered in prod only to clients that want invented data there. The reads of a connection
-- that are narrowed by parameters and not settled are counted with every new one.
set local lock_timeout = '500ms';

alter table clients add column allow_sandbox boolean not null default false;

create index if not exists reads_narrowed on reads (connection_id, requested_at) where state = 'pending' and parameters <> '';
