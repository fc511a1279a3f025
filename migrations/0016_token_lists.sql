-- The list of a client's tokens comes in the order of an index, and those of its connections that do not give
-- everything are found without the others.
set local lock_timeout = '500ms';

drop index tokens_client;
create index tokens_client on tokens (client_id, created_at, id);

create index connections_restricted on connections (client_id, token_id)
  where auth_failure is not null or rights <> '{}';
