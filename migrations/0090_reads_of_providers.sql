-- What is due of a client is found by its provider and its priority: reads behind a provider that is full cost one look-up
-- of a claim, however many they are.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists reads_open_of_provider on reads (client_id, provider, priority, due_at)
  where due_at is not null and lease_until is null;
