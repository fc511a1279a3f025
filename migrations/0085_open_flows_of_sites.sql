-- A /48 of IPv6 is one customer of a carrier and has 65,536 addresses that count as one each, so what they begin counts
-- together, too. `opener_site_key` is a keyed digest of the /24 or the /48 around the address that `opener_key` is of. The
-- flows of a site are numbered: whether too many are open is seen at one row, however many there are. Flows that a program
-- of before begins have neither, and count for their address alone.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table connect_flows add column opener_site_key text, add column opener_site_number bigint;
create index if not exists connect_flows_opener_site on connect_flows (opener_site_key, opener_site_number)
  where opener_site_key is not null;
