-- The end user of a client's connect session can hand the sign-in over to a colleague: the link of the colleague, the
-- digits and the browser that was let in are one sealed value of the flow. Programs of before neither write nor read it.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table connect_flows add column sealed_handover bytea;
