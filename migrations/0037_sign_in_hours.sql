-- How many attempts an account had within an hour, and which networks and browsers have signed in to it before: all
-- others share twenty attempts an hour. The throttle of before let one attempt of each network pass, so that guessing
-- from many networks was never slowed. Its rows of accounts are read by nobody any more, and go within an hour.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

-- By keyed digests, as in sign_in_throttle.
create table sign_in_hours (
  digest bytea primary key,
  attempts timestamptz[] not null,
  told_at timestamptz,
  forget_at timestamptz not null
);
create index sign_in_hours_forget_at on sign_in_hours (forget_at);

create table known_sources (
  digest bytea primary key,
  forget_at timestamptz not null
);
create index known_sources_forget_at on known_sources (forget_at);
