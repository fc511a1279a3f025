-- Why the last attempt of a delivery failed, and how the receiver's reply began, sealed by the connection's key: a
-- reply may quote personal data. Both are null for a delivery that succeeded, and for one of before.
set local lock_timeout = '500ms';
alter table deliveries add column last_error text, add column sealed_last_reply bytea;
