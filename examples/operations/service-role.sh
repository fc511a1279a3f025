#!/bin/sh
# Runs once, when Postgres makes its data folder: the role of the service, which owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v password="$SERVICE_PASSWORD" <<'SQL'
create role rollcall_service login password :'password';
SQL
