-- The requests that providers were sent, for the limits that they have. `key` is a keyed digest of the provider, the
-- limit and what it is counted by, such as one tenant.
set local lock_timeout = '500ms';

-- A window of time is counted in sixty slots. `slot` is the number of the slot since 1970.
create table quota_counts (
  key text not null,
  window_seconds integer not null,
  slot bigint not null,
  requests integer not null,
  primary key (key, window_seconds, slot)
);

-- Requests that are under way, for limits of how many there are at once. One that nobody takes away ends by itself.
create table quota_places (
  id uuid primary key,
  key text not null,
  until timestamptz not null
);
create index quota_places_key on quota_places (key);

-- The provider asked to wait. `refusals` counts those in a row for which it did not say how long.
create table quota_pauses (
  key text primary key,
  until timestamptz not null,
  refusals integer not null
);
