-- Strangers open sign-in links. `opener_key` is a keyed digest of the address (of IPv6 the /64) whose browser began the
-- flow, so that one network has a bounded number of flows open. Null: the client's server made the flow.
set local lock_timeout = '500ms';
alter table connect_flows add column opener_key text;
create index connect_flows_opener on connect_flows (opener_key, expires_at) where opener_key is not null;
