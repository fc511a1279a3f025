-- An operator lists the reads of a client or of a provider, and those that stored nothing. With a million connections
-- each list comes in the order of an index. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists reads_settled_client on reads (client_id, settled_at) where state = 'settled';
create index if not exists reads_settled_provider on reads (provider, settled_at) where state = 'settled';
create index if not exists reads_not_stored on reads (settled_at) where state = 'settled' and outcome <> 'stored';
