-- A list of employees can be made of the stored one and of what changed since. `sealed_since` says where the changes go
-- on. A full read once a day corrects what they missed.
set local lock_timeout = '500ms';

alter table snapshots add column sealed_since bytea;
alter table snapshots add column full_read_at timestamptz;
