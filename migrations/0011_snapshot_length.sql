-- Memory for a body is taken once, at its length, before it is decompressed. 0 is a body of before, of unknown length.
set local lock_timeout = '500ms';
alter table snapshots add column body_bytes bigint not null default 0;
