-- What a client calls a connection: its reference and its metadata, sealed under the key of the connection. A reference
-- is found by a keyed digest of it and the client. A table of its own, because few connections have a label, and an index
-- of a large table would hold others up. Programs of before neither write nor read it.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create table connection_labels (
  connection_id uuid primary key references connections on delete cascade,
  client_id text not null,
  reference_digest bytea,
  sealed_label bytea not null
);

create index connection_labels_client on connection_labels (client_id, reference_digest);
