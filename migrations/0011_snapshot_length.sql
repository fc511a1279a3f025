-- Memory for a body is taken once, at its length, before it is decompressed. 0 is a body of before, of unknown length.
alter table snapshots add column body_bytes bigint not null default 0;
