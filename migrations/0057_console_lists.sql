-- The console lists connections, reads, deliveries and what happened, newest first, a page at a time, and looks for what
-- needs somebody. Each list has an index, so that no page takes longer with more connections.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists connections_of_client on connections (client_id, token_id);
create index if not exists connections_of_provider on connections (provider, token_id);
create index if not exists connections_of_client_and_provider on connections (client_id, provider, token_id);
create index if not exists connections_refused on connections (token_id) where auth_failure is not null;
create index if not exists connections_refused_of_client on connections (client_id, token_id)
  where auth_failure is not null;
create index if not exists connections_forbidden on connections (token_id)
  where jsonb_path_exists(rights, '$.* ? (@.isForbidden == true)');
create index if not exists connections_forbidden_of_client on connections (client_id, token_id)
  where jsonb_path_exists(rights, '$.* ? (@.isForbidden == true)');

create index if not exists reads_failed_of_client on reads (client_id, settled_at, id)
  where outcome in ('unavailable', 'broken');
create index if not exists reads_waiting on reads (client_id, due_at) where state = 'pending' and waits > 0;

create index if not exists deliveries_failed on deliveries (id) where status = 'failed';
create index if not exists deliveries_failed_of_client on deliveries (client_id, id) where status = 'failed';

create index if not exists events_of_connection on events (connection_id, number) where connection_id is not null;

create index if not exists clients_newest on clients (created_at, client_id) where not is_shared_sandbox;
create index if not exists webhook_endpoints_failing on webhook_endpoints (client_id)
  where failing_since is not null or status in ('paused', 'gone');
create index if not exists event_endpoints_failing on event_endpoints (client_id)
  where failing_since is not null or status in ('paused', 'gone');

create index if not exists audit_entries_of_client on audit_entries (client_id, id) where client_id is not null;
