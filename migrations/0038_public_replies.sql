-- How a receiver's reply began is told to the client only when a public address gave it. Of the replies in
-- sealed_last_reply nobody knows which address gave them: they are read no more, and go with their deliveries.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table deliveries add column sealed_public_reply bytea;
