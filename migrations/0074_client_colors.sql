-- The colour of a client's own pages, where the operator allows it. Empty for all. Programs from 0029_delivery_errors on
-- may start on it; an older one does not use a client that has a colour.
set local lock_timeout = '500ms';

alter table clients add column brand_color text;
