-- A read and a delivery are a part of the trace that led to them, in whatever process they run. The column has the ids of
-- that trace while traces are sent to a collector, and null else. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table reads add column traceparent text;
alter table deliveries add column traceparent text;
