-- Sign-ins of operators by OpenID Connect that were used: what their browser brought back is worth one session. A row is
-- written after the issuer has proved who it is, so strangers write nothing, and is removed when the sign-in has expired.
-- Programs of before neither write nor read it. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create table console_used_sign_ins (
  digest bytea primary key,
  expires_at timestamptz not null
);

create index console_used_sign_ins_expires_at on console_used_sign_ins (expires_at);
