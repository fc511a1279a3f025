-- What is due of a client is found by its address, and by whether that is slow: deliveries behind a full address cost
-- one look-up of a claim, however many they are.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists deliveries_open_of_address on deliveries (client_id, origin_key, is_slow, due_at)
  where due_at is not null and lease_until is null;
