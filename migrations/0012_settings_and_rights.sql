-- What the end user chose at the sign-in is sealed with the connection, for every read. `rights` says, by
-- resource, what the account may not read:
-- {"employees": {"isForbidden": false, "limited": ["tax_id"], "checkedAt": …}}. It has names of ours alone.
set local lock_timeout = '500ms';

alter table connections add column sealed_settings bytea;
alter table connections add column rights jsonb not null default '{}';

-- The end user approves the sign-in elsewhere. A worker asks the provider again when it is due.
alter table connect_flows drop constraint connect_flows_phase_check;
alter table connect_flows add constraint connect_flows_phase_check check (phase in
  ('choosing', 'form', 'running', 'challenged', 'waiting', 'ready', 'finished', 'declined', 'failed'));
