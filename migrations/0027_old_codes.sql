-- Codes are deleted thirty days after their five minutes, redeemed or not. Building the index keeps exchanges waiting
-- for less than a second in a million codes. It may be built before, concurrently.
set local lock_timeout = '500ms';

create index if not exists authorization_codes_expires_at on authorization_codes (expires_at);
drop index authorization_codes_unredeemed;
