-- What of employees a client does not want to have is neither read, stored nor shown. A client that has switched something
-- off is bound by a MAC that includes it: a program of before, which would read it, does not use such a client. Switch
-- fields off when all programs are of this version. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table clients add column fields_off text[] not null default '{}';

-- How often fields were switched since what is kept for the webhooks of a client lost them last.
alter table webhook_endpoints add column cleans_due integer not null default 0;
create index webhook_endpoints_to_clean on webhook_endpoints (client_id) where cleans_due > 0;
