-- connections_of_client finds all that this index finds: both begin with the client.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

drop index if exists connections_client;
