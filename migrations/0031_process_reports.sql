-- What operators see of the processes that run: which version, since when, and when its schedules last succeeded.
-- A process of an earlier version tells none of it.
set local lock_timeout = '500ms';
alter table running_processes
  add column version text,
  add column started_at timestamptz,
  add column schedules jsonb not null default '[]';
