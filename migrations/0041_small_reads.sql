-- Small reads have a share of a provider's quotas: of each window, how many of its requests were theirs, and who waits for
-- a limit. `passed` counts the small ones that were admitted before a large one that waits. A row that nobody takes away
-- ends by itself. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table quota_counts add column small integer not null default 0;

create table quota_waits (
  id uuid not null,
  key text not null,
  is_small boolean not null,
  passed integer not null default 0,
  until timestamptz not null,
  primary key (key, id)
);
create index quota_waits_id on quota_waits (id);
create index quota_waits_until on quota_waits (until);
